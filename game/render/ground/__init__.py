"""The ground: what lies where (plan), how it looks (textures), and the chunks baked from both."""
