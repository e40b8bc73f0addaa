"""The kernel of the notebooks of the site."""

c = get_config()  # noqa: F821
# Sharp also where a screen has two dots a pixel.
c.InlineBackend.print_figure_kwargs = {"dpi": 140}
# The kernel listens on this machine alone, and warns of it at each start.
c.IPKernelApp.log_level = 40
