import Core

/// Kinds of error of maps.
public enum MapErrors {
    /// A region was imported before maps were stored.
    public static let lacking = ErrorKind(
        "E-MAP-FEATURES", "the region has no map features",
        explanation: """
            A region that was imported by an earlier version has ways, but no water, woods, names or relief. \
            `region import FILE --update` adds them from the same map file.
            """)
    /// A style file cannot be read.
    public static let style = ErrorKind(
        "E-MAP-STYLE", "the style cannot be read",
        explanation: """
            A style is light, dark, print, or a file of rules by kind and zoom. The message names the line; the \
            built-in file is Sources/Cartography/Data/topo.style.
            """)
    /// A map request is invalid.
    public static let request = ErrorKind(
        "E-MAP-REQUEST", "invalid map request",
        explanation: "Zooms are 0 to 22. A tile's column and row are below 2 to the power of the zoom.")
    /// The stored map features are damaged.
    public static let damaged = ErrorKind(
        "E-MAP-DAMAGED", "the map features of a region are damaged",
        explanation: "`region import FILE --update` writes them again from the map file.")

    /// The base map is unavailable.
    public static let base = ErrorKind(
        "E-MAP-BASE", "no such base map",
        explanation: """
            --base takes topo (the map of an imported region), plain, none, or an MBTiles file with PNG or JPEG tiles.
            """)

    /// All kinds.
    public static let all = [lacking, style, request, damaged, base]
}
