/// The tables of a region's map; apps ignore them.
enum MapTableSchema {
    static let tables = """
        CREATE TABLE rutter_map_facts(key TEXT PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE rutter_map_blocks(
          id INTEGER PRIMARY KEY, level INTEGER NOT NULL, features INTEGER NOT NULL, size INTEGER NOT NULL,
          data BLOB NOT NULL);
        CREATE VIRTUAL TABLE rutter_map_index USING rtree_i32(id, west, east, north, south, coarse, fine);
        CREATE TABLE rutter_map_heights(
          grid INTEGER NOT NULL, across INTEGER NOT NULL, down INTEGER NOT NULL, data BLOB NOT NULL,
          PRIMARY KEY (grid, down, across)) WITHOUT ROWID;
        """
    static let drop = """
        DROP TABLE IF EXISTS main.rutter_map_facts; DROP TABLE IF EXISTS main.rutter_map_blocks;
        DROP TABLE IF EXISTS main.rutter_map_index; DROP TABLE IF EXISTS main.rutter_map_heights;
        """
    static let facts = "rutter_map_facts"
    static let insertFact = "INSERT INTO rutter_map_facts VALUES (?, ?)"
    static let insertBlock = "INSERT INTO rutter_map_blocks VALUES (?, ?, ?, ?, ?)"
    static let insertBox = "INSERT INTO rutter_map_index VALUES (?, ?, ?, ?, ?, ?, ?)"
    static let insertHeights = "INSERT INTO rutter_map_heights VALUES (?, ?, ?, ?)"
    static let selectBlocks = """
        SELECT id FROM rutter_map_index
        WHERE coarse = ? AND east >= ? AND west <= ? AND south >= ? AND north <= ? ORDER BY id
        """
    static let selectBlock = "SELECT level, size, data FROM rutter_map_blocks WHERE id = ?"
    static let selectHeights =
        "SELECT data FROM rutter_map_heights WHERE grid = ? AND down = ? AND across = ?"

    /// Copies features of an attached database, whose blocks get numbers of their own.
    static func copy(_ schema: String) -> String {
        """
        CREATE TEMP TABLE map_offset AS SELECT coalesce(max(id), 0) AS id FROM main.rutter_map_blocks;
        INSERT INTO main.rutter_map_blocks
          SELECT id + (SELECT id FROM map_offset), level, features, size, data
          FROM \(schema).rutter_map_blocks ORDER BY id;
        INSERT INTO main.rutter_map_index
          SELECT id + (SELECT id FROM map_offset), west, east, north, south, coarse, fine
          FROM \(schema).rutter_map_index ORDER BY id;
        DROP TABLE map_offset;
        """
    }

    /// Pieces of heights in both the main and an attached database.
    static func selectSharedHeights(_ schema: String) -> String {
        """
        SELECT m.grid, m.across, m.down, m.data, o.data FROM main.rutter_map_heights AS m
          JOIN \(schema).rutter_map_heights AS o USING (grid, across, down) ORDER BY 1, 3, 2
        """
    }
    static let updateHeights =
        "UPDATE main.rutter_map_heights SET data = ? WHERE grid = ? AND across = ? AND down = ?"
    static func copyHeights(_ schema: String) -> String {
        "INSERT OR IGNORE INTO main.rutter_map_heights SELECT * FROM \(schema).rutter_map_heights"
    }

    /// The version of the layout.
    static let format = "2"
    /// The maximum size of an unpacked block.
    static let largestBlock = 64 << 20
}

/// The keys of the metadata.
enum MapFact {
    static let format = "format"
    static let kinds = "kinds"
    static let attribution = "attribution"
    static let heightSource = "height_source"
    static let grid = "grid"
    static let broken = "broken"
    static let looseCoast = "loose_coast"
    static let features = "features"
    static let bounds = "bounds"
}
