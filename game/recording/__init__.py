"""Kept pictures: a run filmed into a video with captions, or recorded while it is played."""
