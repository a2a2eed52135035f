"""Tables, the events of their logs, and the records of finished matches.

`tables.live` is 0 once a table's last match is over; times are seconds since 1970.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("code", sa.String, primary_key=True),
        sa.Column("changed", sa.Float, nullable=False, index=True),
        sa.Column("live", sa.Boolean, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("code", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "visits",
        sa.Column("visitor", sa.String, primary_key=True),
        sa.Column("code", sa.String, primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "records",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("made", sa.Float, nullable=False, index=True),
        sa.Column("code", sa.String, nullable=False, index=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    for name in ("records", "visits", "events", "tables"):
        op.drop_table(name)
