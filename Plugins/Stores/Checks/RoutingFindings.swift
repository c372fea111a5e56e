import TrailStores

/// The kinds of finding in a routing graph.
enum RoutingFindings {
    static let node = FindingKind(
        .error, "F-ROUTING-NODE", "a node's coordinate is out of range",
        why: "Latitudes are numbers between -90 and 90, longitudes between -180 and 180.",
        fix: "import the region again")
    static let height = FindingKind(
        .warning, "F-ROUTING-HEIGHT", "a node's elevation is out of range",
        why: "Elevations are metres above the sea, or NULL if unknown.",
        fix: "import the region again with intact elevation tiles")
    static let ends = FindingKind(
        .error, "F-ROUTING-ENDS", "an edge refers to a missing node",
        why: "from_node and to_node are identifiers of nodes; a route cannot use such an edge.",
        fix: "delete the edge, or import the region again")
    static let length = FindingKind(
        .error, "F-ROUTING-LENGTH", "an edge's length is out of range",
        why:
            "An edge is at least as long as the straight line between its ends, and lengths are not negative.",
        fix: "recompute the length from the geometry")
    static let climb = FindingKind(
        .error, "F-ROUTING-CLIMB", "an edge's climb is out of range",
        why: "elevation_gain and elevation_loss are metres that are not negative.",
        fix: "recompute both from the heights")
    static let cost = FindingKind(
        .error, "F-ROUTING-COST", "an edge's cost breaks A*",
        why: """
            A cost is a number that is not negative, and not below the straight line between the ends: A* estimates with \
            that line, and a cheaper edge makes its routes wrong. Infinite means impassable.
            """, fix: "recompute the cost")
    static let oneway = FindingKind(
        .error, "F-ROUTING-ONEWAY", "is_oneway is neither 0 nor 1",
        why: "1 forbids travel from to_node to from_node; 0 allows it.", fix: "set it from the way's tags")
    static let geometry = FindingKind(
        .error, "F-ROUTING-GEOMETRY", "an edge's geometry cannot be read",
        why: "It contains pairs of little-endian Float32, latitude and longitude.",
        fix: "import the region again")
    static let shape = FindingKind(
        .warning, "F-ROUTING-SHAPE", "an edge's length differs from its geometry",
        why: "distance is the length of the line through both ends and the points between them.",
        fix: "recompute the length from the geometry")
    static let twice = FindingKind(
        .warning, "F-ROUTING-TWICE", "an edge is stored in both directions",
        why:
            "One row serves both directions. A second row in reverse only doubles the work.",
        fix: "delete the second row")
    static let index = FindingKind(
        .info, "F-ROUTING-INDEX", "an index is missing",
        why: "Without the indexes on nodes and edges a search reads the whole table for each step.",
        fix: "create the index")
    static let loop = FindingKind(
        .warning, "F-ROUTING-LOOP", "an edge leads from a node to itself",
        why: "Without points between its ends such an edge goes nowhere.", fix: "delete the edge")
    static let same = FindingKind(
        .warning, "F-ROUTING-SAME", "an edge is stored twice",
        why: "Ends, way and length agree. A second row only doubles the work, or contradicts the first.",
        fix: "delete the second row"
    )
    static let alone = FindingKind(
        .warning, "F-ROUTING-ALONE", "nodes without an edge",
        why: "A route can neither begin nor pass there, although the node is found as the nearest one.",
        fix: "import the region again")
    static let split = FindingKind(
        .info, "F-ROUTING-SPLIT", "the graph is split",
        why:
            "There is no route between unconnected parts. A region cut from a map often has small ones.",
        fix: "import a larger area, or ways that are missing")
    static let steep = FindingKind(
        .warning, "F-ROUTING-STEEP", "an edge climbs more than it is long",
        why: "The elevations are in another unit, or a tile has voids.",
        fix: "recompute the climb from the heights")
    static let far = FindingKind(
        .error, "F-ROUTING-FAR", "a node is too far from its edges",
        why:
            "All its edges are shorter than the straight line to their other ends: its coordinate is wrong, not theirs.",
        fix: "import the region again, or correct the coordinate")
    static let way = FindingKind(
        .warning, "F-ROUTING-WAY", "an edge's way is not a number",
        why: "osm_way_id is the number of the way in OpenStreetMap, or NULL; other texts find no way.",
        fix: "set it to the number alone")
    static let text = FindingKind(
        .warning, "F-ROUTING-NUL", "a name has a NUL, invalid bytes or HTML",
        why:
            "Readers in C end a text at a NUL, and drop or replace bytes that are not UTF-8. Lists show the tags and references of HTML as they stand.",
        fix: "import the region again")
    static let grade = FindingKind(
        .info, "F-ROUTING-GRADE", "a grade is not one of OpenStreetMap's",
        why: "Planners differ in what they make of it: another spelling, or no grade at all.",
        fix: "correct the tag of the way in OpenStreetMap, and import the region again")
    static let type = FindingKind(
        .info, "F-ROUTING-TYPE", "a way's type is not one of OpenStreetMap's",
        why: "Planners differ in whether they use such a way, and at which cost.",
        fix: "correct the tag of the way in OpenStreetMap, and import the region again")
    static let all = [
        type, grade, far, way, text,
        node, height, ends, length, climb, cost, oneway, geometry, shape, twice, index, loop, same,
        alone,
        split, steep,
    ]
}
