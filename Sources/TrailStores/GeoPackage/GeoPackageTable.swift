import Geodesy

/// A geometry of a GeoPackage.
public enum GeoPackageShape: Sendable, Hashable {
    /// A point.
    case point(Coordinate)
    /// Lines; one is a LineString, several are a MultiLineString.
    case lines([[Coordinate]])
    /// Polygons of rings, the outer one first; one is a Polygon, several are a MultiPolygon.
    case polygons([[[Coordinate]]])
}

/// A cell of a GeoPackage.
public enum GeoPackageCell: Sendable, Hashable {
    /// NULL.
    case null
    /// A whole number.
    case integer(Int64)
    /// A number.
    case real(Double)
    /// Text.
    case text(String)
    /// True or false.
    case boolean(Bool)
    /// An instant, as `2026-02-06T08:15:30.000Z`.
    case time(String)
}

/// A layer of features with its columns.
public struct GeoPackageTable: Sendable {
    /// A row.
    public struct Row: Sendable {
        /// Its geometry; `nil` without one.
        public var shape: GeoPackageShape?
        /// Its cells, in the order of the columns.
        public var cells: [GeoPackageCell]

        /// A row.
        public init(shape: GeoPackageShape?, cells: [GeoPackageCell]) {
            (self.shape, self.cells) = (shape, cells)
        }
    }

    /// The layer's name.
    public var name: String
    /// The names of the columns besides the geometry and the row number.
    public var columns: [String]
    /// The rows.
    public var rows: [Row]

    /// A layer.
    public init(name: String, columns: [String], rows: [Row]) {
        (self.name, self.columns, self.rows) = (name, columns, rows)
    }
}
