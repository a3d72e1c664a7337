"""Grades as files that other systems read."""
