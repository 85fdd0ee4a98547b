"""Crosswalk's part of every analysis."""
