"""Tables in play: their log on disk, a room for each with its clock and its listeners, and all rooms together."""
