"""What a person sees: progress and tables. No logic of scoring."""
