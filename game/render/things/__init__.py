"""How every kind of thing of the street looks, found through ``catalogue.style_of``."""
