"""What a text holds as a program: definitions, names bound and needed, its shape, and how two texts differ."""
