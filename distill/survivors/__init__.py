"""Near-misses that no candidate separates: proofs that they mean the same, and targeted searches that they do not."""

from distill.survivors.frame import Content, Frame, make_frame
from distill.survivors.judge import Judge
from distill.survivors.search import STRATEGIES, Budget, Strategy, search
from distill.survivors.settle import Settled, settle

__all__ = ["STRATEGIES", "Budget", "Content", "Frame", "Judge", "Settled", "Strategy", "make_frame", "search", "settle"]
