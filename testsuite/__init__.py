"""Test-suite accuracy: does a predicted query mean the same as the gold?"""
