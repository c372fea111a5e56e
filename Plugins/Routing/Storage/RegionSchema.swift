/// The tables of a routing graph.
enum RegionSchema {
    /// The tables of the apps' format.
    static let tables = """
        CREATE TABLE routing_nodes(
          id INTEGER PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL, elevation REAL);
        CREATE TABLE routing_edges(
          id INTEGER PRIMARY KEY AUTOINCREMENT, from_node INTEGER NOT NULL, to_node INTEGER NOT NULL,
          distance REAL NOT NULL, elevation_gain REAL NOT NULL, elevation_loss REAL NOT NULL, surface TEXT,
          highway_type TEXT, sac_scale TEXT, trail_visibility TEXT, name TEXT, osm_way_id INTEGER,
          cost REAL NOT NULL, reverse_cost REAL NOT NULL, is_oneway INTEGER NOT NULL, geometry BLOB);
        CREATE TABLE routing_metadata(key TEXT PRIMARY KEY, value TEXT NOT NULL);
        """

    /// Data without a column in the apps' tables; apps ignore it. Of an edge: flags (1 no bicycles, 2
    /// roundabout, 4 and 8 closed to walkers forward and backward, 16 off the ground, 32 against its way, 64 of an area), the heights of the points in between
    /// (little-endian Float32, NaN where unknown), its kind, and the ids of the trails along it. Of a kind:
    /// its further tags, a line for each. Of an area that is walked across: the ids of its ways, and its corners (id,
    /// latitude, longitude, height, number of the ring). Of a turn restriction: a line as `TurnRestriction` writes it.
    static let extras = """
        CREATE TABLE rutter_kinds(id INTEGER PRIMARY KEY, tags TEXT NOT NULL);
        CREATE TABLE rutter_edges(
          edge_id INTEGER PRIMARY KEY, flags INTEGER NOT NULL, elevations BLOB, kind INTEGER, trails TEXT);
        CREATE TABLE rutter_trails(
          id INTEGER PRIMARY KEY, name TEXT, ref TEXT, network TEXT, symbol TEXT);
        CREATE TABLE rutter_squares(id INTEGER PRIMARY KEY, ways BLOB NOT NULL, corners BLOB NOT NULL);
        CREATE TABLE rutter_turns(relation INTEGER PRIMARY KEY, restriction TEXT NOT NULL);
        """

    static let indexes = """
        CREATE INDEX idx_nodes_lat_lon ON routing_nodes(latitude, longitude);
        CREATE INDEX idx_edges_from ON routing_edges(from_node);
        CREATE INDEX idx_edges_to ON routing_edges(to_node);
        """

    static let insertNode =
        "INSERT INTO routing_nodes(id, latitude, longitude, elevation) VALUES (?, ?, ?, ?)"
    static let insertEdge = """
        INSERT INTO routing_edges(
          id, from_node, to_node, distance, elevation_gain, elevation_loss, surface, highway_type, sac_scale,
          trail_visibility, name, osm_way_id, cost, reverse_cost, is_oneway, geometry)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    static let insertExtra =
        "INSERT INTO rutter_edges(edge_id, flags, elevations, kind, trails) VALUES (?, ?, ?, ?, ?)"
    static let insertKind = "INSERT INTO rutter_kinds VALUES (?, ?)"
    static let insertTrail =
        "INSERT INTO rutter_trails(id, name, ref, network, symbol) VALUES (?, ?, ?, ?, ?)"
    static let insertArea = "INSERT INTO rutter_squares(ways, corners) VALUES (?, ?)"
    static let insertTurn = "INSERT OR REPLACE INTO rutter_turns VALUES (?, ?)"
    static let insertMetadata = "INSERT INTO routing_metadata VALUES (?, ?)"

    static let selectNodes = "SELECT id, latitude, longitude, elevation FROM routing_nodes ORDER BY id"
    static let selectEdges = """
        SELECT id, from_node, to_node, distance, elevation_gain, elevation_loss, surface, highway_type,
          sac_scale, trail_visibility, name, osm_way_id, cost, reverse_cost, is_oneway, geometry
        FROM routing_edges ORDER BY id
        """
    /// For regions imported before kinds were stored.
    static let selectOldExtras =
        "SELECT edge_id, flags, elevations, NULL, NULL FROM rutter_edges ORDER BY edge_id"
    static let selectExtras =
        "SELECT edge_id, flags, elevations, kind, trails FROM rutter_edges ORDER BY edge_id"
    static let selectKinds = "SELECT id, tags FROM rutter_kinds ORDER BY id"
    static let selectTrails = "SELECT id, name, ref, network, symbol FROM rutter_trails ORDER BY id"
    static let selectAreas = "SELECT ways, corners FROM rutter_squares ORDER BY id"
    static let selectTurns = "SELECT restriction FROM rutter_turns ORDER BY relation"
    /// The names of ways, each with the longest of its edges.
    static let selectNamedWays = """
        SELECT e.name, e.highway_type, n.latitude, n.longitude, max(e.distance)
        FROM routing_edges e JOIN routing_nodes n ON n.id = e.from_node
        WHERE e.name <> '' GROUP BY e.name ORDER BY e.name
        """

    /// The columns that a routing graph must have.
    static let columns: [String: Set<String>] = [
        "routing_nodes": ["id", "latitude", "longitude", "elevation"],
        "routing_edges": [
            "id", "from_node", "to_node", "distance", "elevation_gain", "elevation_loss", "surface",
            "highway_type", "sac_scale", "trail_visibility", "name", "osm_way_id", "cost", "reverse_cost",
            "is_oneway", "geometry",
        ],
        "routing_metadata": ["key", "value"],
    ]
}

/// The keys of `routing_metadata` that an import writes.
enum RegionMetadata {
    static let name = "name"
    static let source = "source"
    static let bounds = "bounds"
    static let nodes = "node_count"
    static let edges = "edge_count"
    static let length = "total_length"
    static let missing = "missing_node_references"
    static let tiles = "elevation_tiles"
    static let unknownHeights = "nodes_without_elevation"
    /// How many ways and obstacles have a tag whose value is not understood, a line for each tag.
    static let unknownValues = "unknown_values"
    static let format = "format"
    static let notices = "notices"
    /// What became of the ways of the map file, as `SourceAccount` writes it.
    static let account = "account"
    /// The letters of a sketch, in the order of their node ids.
    static let letters = "letters"
    /// The version of the schema that Rutter writes.
    static let currentFormat = "rutter-2"
}
