"""Measurements and small machines behind the demonstrations; nothing here is an exercise's answer."""
