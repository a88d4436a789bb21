"""From a block to its answer: is this Python, on which version, and where does it belong?"""
