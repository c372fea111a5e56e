import PluginKit

/// Kinds of error of planning on a graph.
package enum RouteErrors {
    static let noData = ErrorKind(
        "E-ROUTE-NODATA", "no routing data",
        explanation: """
            Routes are planned on a region. Add one with `region import FILE.osm.pbf` or `region sketch`; \
            `region list` shows the existing ones.
            """)
    static let notNear = ErrorKind(
        "E-ROUTE-SNAP", "no way nearby",
        explanation: """
            A coordinate is snapped to the nearest point of the nearest edge within 500 m that the mode may use. The \
            message states the distance to the nearest edge. Choose a coordinate nearer to a way, or another region.
            """)
    static let noRoute = ErrorKind(
        "E-ROUTE-NONE", "no route found",
        explanation: """
            Start and end lie on parts of the network that are not connected for the mode, or only against a \
            one-way street, or over ways above the SAC limit. The message states how many nodes were \
            explored and how near to the end the search came.
            """)
    static let viaUnreachable = ErrorKind(
        "E-ROUTE-VIA", "a via point cannot be reached",
        explanation: """
            The via point lies on a part of the network that the previous point does not reach, or from which \
            the route cannot continue. The message names it.
            """)
    static let noMatch = ErrorKind(
        "E-ROUTE-MATCH", "the track cannot be matched",
        explanation: """
            No point of the track lies near a way of the region, or no route connects those that do. Check that \
            the region is the right one.
            """)
    static let unusableAvoid = ErrorKind(
        "E-ROUTE-AVOID", "nothing to avoid",
        explanation: """
            --avoid takes a box as south,west,north,east, the name of a way in the map, or way=ID with an OSM id. A value \
            that matches no way of the region is an error.
            """)
    package static let all = [noData, notNear, noRoute, viaUnreachable, noMatch, unusableAvoid]

    /// Whether another region might have a route after this error.
    static func isOfOneRegion(_ error: RutterError) -> Bool {
        [notNear, noRoute, viaUnreachable, noMatch, unusableAvoid].contains { $0.code == error.code }
    }
}

extension RutterError {
    /// The same error with the name of the region.
    func inRegion(_ name: String) -> RutterError {
        var copy = self
        copy.message += " (in the region \(name))"
        return copy
    }
}

/// Kinds of error of regions: their import and their files.
package enum RegionErrors {
    static let osm = ErrorKind(
        "E-REGION-OSM", "the map file is damaged",
        explanation: """
            The file is truncated or violates its format. The message names the file and, if known, the byte. \
            Download it again. Nothing was written.
            """)
    static let osmKind = ErrorKind(
        "E-REGION-FORMAT", "unsupported OpenStreetMap file",
        explanation: "Files are PBF or XML, also packed by gzip or bzip2. The content decides, not the name."
    )
    static let osmFeature = ErrorKind(
        "E-REGION-FEATURE", "the map file requires an unsupported feature",
        explanation: """
            A PBF file lists the features that a reader must support. Convert it with `osmium cat` to a file without \
            this feature.
            """)
    package static let elevation = ErrorKind(
        "E-REGION-HGT", "the elevation tile cannot be used",
        explanation: """
            A tile is a file of 1201 × 1201 or 3601 × 3601 big-endian 16-bit samples, alone or in one .zip or \
            .gz, named after its south-western corner, such as N47E009.hgt; or a GeoTIFF (.tif) of heights in metres \
            and degrees of WGS 84, such as the Copernicus DEM. The message states the difference.
            """)
    package static let empty = ErrorKind(
        "E-REGION-EMPTY", "the map contains no ways",
        explanation: """
            The map file contains no way that can be walked or ridden, or none inside the box. Nothing was written.
            """)
    static let damaged = ErrorKind(
        "E-REGION-DAMAGED", "a file beside a region is damaged",
        explanation: """
            Data derived by an import is in files beside the database, with a checksum for each block. A damaged block is \
            rebuilt from the database; if that fails, the command fails, and the message names \
            the file and its bytes. Remove that file; if the database is damaged as well, import the region again.
            """)
    package static let graph = ErrorKind(
        "E-REGION-GRAPH", "inconsistent routing graph",
        explanation: """
            The database has the right tables, but a row refers to a missing row or contains an impossible value. \
            The message names the row.
            """)
    package static let schema = ErrorKind(
        "E-REGION-SCHEMA", "not a routing graph",
        explanation: """
            A routing graph is a SQLite database with the tables routing_nodes, routing_edges and \
            routing_metadata; the message names what is missing.
            """)
    package static let sketch = ErrorKind(
        "E-REGION-SKETCH", "the sketch cannot be read",
        explanation: """
            A sketch is a map of characters in which each letter is a node and occurs once, and a table of ways that \
            list their nodes in order.
            """)
    static let unknown = ErrorKind(
        "E-REGION-NONE", "unknown region",
        explanation: "`region list` shows the regions of the workspace.")
    package static let name = ErrorKind(
        "E-REGION-NAME", "invalid region name",
        explanation:
            "A region's name is a file name: it must not be empty, begin with a dot or contain a slash.")
    package static let join = ErrorKind(
        "E-REGION-JOIN", "the regions cannot be joined",
        explanation: """
            A join requires two regions with common nodes of the map, imported by this version. Nothing was written.
            """)
    package static let exists = ErrorKind(
        "E-REGION-EXISTS", "the region already exists",
        explanation: "Choose another name with --name, or remove the old region first.")
    package static let all = [
        osm, osmKind, osmFeature, elevation, empty, damaged, graph, schema, sketch, unknown, name, exists,
        join,
    ]
}
