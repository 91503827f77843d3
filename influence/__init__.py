"""Influence of one input symbol under soft attention: measured, bounded, certified."""

from influence.curve import InfluenceCurve as InfluenceCurve
from influence.curve import influence_curve as influence_curve
from influence.measure import influence as influence
from influence.result import Influence as Influence
from influence.result import InfluenceError as InfluenceError
from influence.result import InfluenceWarning as InfluenceWarning
from influence.words import RepeatedWord as RepeatedWord
