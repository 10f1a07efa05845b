CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY,
    setup TEXT NOT NULL,
    status TEXT NOT NULL,
    note TEXT NOT NULL,
    clocks TEXT NOT NULL,
    created REAL NOT NULL,
    changed REAL NOT NULL,
    forfeited_by INTEGER
);
CREATE INDEX IF NOT EXISTS tables_by_status ON tables (status, changed);
CREATE TABLE IF NOT EXISTS moves (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    action INTEGER NOT NULL,
    asked INTEGER NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    answered REAL NOT NULL,
    answers TEXT NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
