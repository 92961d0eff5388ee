"""Contents on which two queries differ: compared, shrunk and shown.

pair        both queries on many contents at once, and how sure a difference is
record      what is shown: statements that make a content, answers, the first row that differs
replay      a content run through SQLite as DDL, INSERTs and queries, the way it will be shown
failing     the smallest counterexample inside an instance on which a pair differs
"""
