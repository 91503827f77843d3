"""Formal languages as data: membership, exact counting, exactly uniform sampling."""

from languages.counting import Majority as Majority
from languages.counting import Modulus as Modulus
from languages.counting import Ones as Ones
from languages.counting import Parity as Parity
from languages.dyck import Dyck as Dyck
from languages.language import AbstractLanguage as AbstractLanguage
from languages.language import LanguageError as LanguageError
from languages.predicate import PredicateLanguage as PredicateLanguage
from languages.prefixes import EqualBlocks as EqualBlocks
from languages.prefixes import First as First
from languages.registry import language as language
from languages.registry import names as names
