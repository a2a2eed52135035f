"""What people see: sheets and rulebooks as HTML, templates, styles and scripts."""
