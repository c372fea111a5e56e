import TrailStores

/// The kinds of finding in a routing graph.
enum RoutingFindings {
    static let node = FindingKind(
        .error, "F-ROUTING-NODE", "a node is not on Earth",
        why: "Latitudes are numbers between -90 and 90, longitudes between -180 and 180.",
        mend: "import the region anew")
    static let height = FindingKind(
        .warning, "F-ROUTING-HEIGHT", "the height of a node cannot be",
        why: "Heights are metres above the sea, or NULL where none is known.",
        mend: "import the region anew with sound elevation tiles")
    static let ends = FindingKind(
        .error, "F-ROUTING-ENDS", "an edge leads to a node that is not there",
        why: "from_node and to_node are identifiers of nodes; a route over such an edge has no place.",
        mend: "delete the edge, or import the region anew")
    static let length = FindingKind(
        .error, "F-ROUTING-LENGTH", "the length of an edge cannot be",
        why:
            "An edge is at least as long as the straight line between its ends, and lengths are not negative.",
        mend: "compute the length anew from the geometry")
    static let climb = FindingKind(
        .error, "F-ROUTING-CLIMB", "the climb of an edge cannot be",
        why: "elevation_gain and elevation_loss are metres that are not negative.",
        mend: "compute both anew from the heights")
    static let cost = FindingKind(
        .error, "F-ROUTING-COST", "A* may not trust the cost of an edge",
        why: """
            A cost is a number that is not negative, and not below the straight line between the ends: A* estimates by \
            that line, and a cheaper edge makes its routes wrong. Infinite means impassable.
            """, mend: "compute the cost anew")
    static let oneway = FindingKind(
        .error, "F-ROUTING-ONEWAY", "is_oneway is neither 0 nor 1",
        why: "1 forbids the way from to_node to from_node; 0 allows it.", mend: "take it from the way's tags")
    static let geometry = FindingKind(
        .error, "F-ROUTING-GEOMETRY", "the geometry of an edge cannot be read",
        why: "It is pairs of little-endian Float32, latitude and longitude, of places on Earth.",
        mend: "import the region anew")
    static let shape = FindingKind(
        .warning, "F-ROUTING-SHAPE", "geometry and length of an edge disagree",
        why: "The line through the ends and the points between them is not as long as the edge says.",
        mend: "compute the length anew from the geometry")
    static let twice = FindingKind(
        .warning, "F-ROUTING-TWICE", "an edge is there in both directions",
        why:
            "One row serves both directions. A second row the other way round doubles the work, not the ways.",
        mend: "delete the second row")
    static let index = FindingKind(
        .info, "F-ROUTING-INDEX", "an index is missing",
        why: "Without the indexes on nodes and edges a search reads the whole table for each step.",
        mend: "create it")
    static let all = [
        node, height, ends, length, climb, cost, oneway, geometry, shape, twice, index,
    ]
}
