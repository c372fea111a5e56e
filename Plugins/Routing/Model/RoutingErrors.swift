import PluginKit

/// Kinds of error of planning on a graph.
package enum RouteErrors {
    package static let noData = ErrorKind(
        "E-ROUTE-NODATA", "there is no routing data",
        explanation: """
            Routes are planned on a region. Make one with `region import FILE.osm.pbf` or `region sketch`; \
            `region list` shows those that are there.
            """)
    package static let notNear = ErrorKind(
        "E-ROUTE-SNAP", "no way is near enough",
        explanation: """
            A place is moved to the nearest point of the nearest edge within 500 m that the mode may use. The \
            message tells how far the nearest one is. Choose a place nearer to a way, or another region.
            """)
    package static let noRoute = ErrorKind(
        "E-ROUTE-NONE", "no route leads there",
        explanation: """
            Start and end lie on parts of the network that are not connected for the mode, or only against a \
            one-way street, or over ways above the SAC limit. The message tells how many nodes were explored \
            and how near to the end the search came.
            """)
    package static let viaUnreachable = ErrorKind(
        "E-ROUTE-VIA", "a via point cannot be reached",
        explanation: """
            The via point lies on a part of the network that the point before it does not reach, or from which \
            the route cannot go on. The message tells which one.
            """)
    package static let noMatch = ErrorKind(
        "E-ROUTE-MATCH", "the track cannot be matched",
        explanation: """
            No point of the track lies near a way of the region, or no way connects those that do. Check that \
            the region is the right one.
            """)
    package static let all = [noData, notNear, noRoute, viaUnreachable, noMatch]
}

/// Kinds of error of regions: their import and their files.
package enum RegionErrors {
    package static let osm = ErrorKind(
        "E-REGION-OSM", "the map file is damaged",
        explanation: """
            The file ends too early, or holds what its format does not allow. The message names the file and, \
            where it is known, the byte. Fetch it again. Nothing was written.
            """)
    package static let osmKind = ErrorKind(
        "E-REGION-FORMAT", "the file is not an OpenStreetMap file that can be read",
        explanation: "Files of the kinds .osm.pbf, .osm, .osm.gz and .osm.bz2 are read, by the name's ending."
    )
    package static let osmFeature = ErrorKind(
        "E-REGION-FEATURE", "the map file needs a feature that the reader does not know",
        explanation: """
            A PBF file names the features that a reader must know. Convert it with `osmium cat` to a file \
            without this one.
            """)
    package static let elevation = ErrorKind(
        "E-REGION-HGT", "the elevation tile cannot be used",
        explanation: """
            A tile is a file of 1201 × 1201 or 3601 × 3601 big-endian 16-bit samples, alone or in one .zip or \
            .gz, named after its south-western corner, such as N47E009.hgt.
            """)
    package static let empty = ErrorKind(
        "E-REGION-EMPTY", "there is no way in it",
        explanation: """
            The map file has no way that can be walked or ridden, or none inside of the box. Nothing was \
            written.
            """)
    package static let graph = ErrorKind(
        "E-REGION-GRAPH", "the routing graph contradicts itself",
        explanation: """
            The database has the right tables, but a row refers to something that is not there or holds a \
            value that cannot be. The message names the row.
            """)
    package static let schema = ErrorKind(
        "E-REGION-SCHEMA", "the database is no routing graph",
        explanation: """
            A routing graph is an SQLite database with the tables routing_nodes, routing_edges and \
            routing_metadata; the message names what is missing.
            """)
    package static let sketch = ErrorKind(
        "E-REGION-SKETCH", "the sketch cannot be read",
        explanation: """
            A sketch is a map of characters in which each letter stands for a node, once, and a table of ways \
            that names them in order.
            """)
    package static let unknown = ErrorKind(
        "E-REGION-NONE", "there is no such region",
        explanation: "`region list` shows the regions of the workspace.")
    package static let name = ErrorKind(
        "E-REGION-NAME", "the name cannot be a region's",
        explanation: "A region's name is a file name: it may not be empty, begin with a dot or hold a slash.")
    package static let exists = ErrorKind(
        "E-REGION-EXISTS", "there is a region of that name already",
        explanation: "Choose another name with --name, or remove the old region first.")
    package static let all = [
        osm, osmKind, osmFeature, elevation, empty, graph, schema, sketch, unknown, name, exists,
    ]
}
