"""What Alembic runs: the steps in ``versions`` on the connection it was handed."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], target_metadata=None)
with context.begin_transaction():
    context.run_migrations()
