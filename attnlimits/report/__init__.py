"""The report: one self-contained HTML page of all claims and figures."""

from attnlimits.report.page import Drawing as Drawing
from attnlimits.report.page import page as page
