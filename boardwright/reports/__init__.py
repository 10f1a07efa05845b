"""Reports: metrics over games as tables for people, JSON for programs, and plots."""

from boardwright.reports.report import Metric, Report, Section

__all__ = ["Metric", "Report", "Section"]
