"""What answers requests: paths, pages, the API, sockets, and the middleware that each request passes."""
