/// Constants of exports and imports.
enum ExportSettings {
    /// Decimals of angles in the community's JSON: precise to a metre.
    static let communityAngleDecimals = 5
    /// Decimals of metres in the community's JSON.
    static let communityAltitudeDecimals = 1
    /// The written version of the community's JSON.
    static let communityVersion = 1
    /// Decimals of angles in reports: precise to a metre.
    static let shownAngleDecimals = 5
    /// Maximum bytes of a JSON file: a hike of half a million points.
    static let longestJSON = 64 << 20
    /// Maximum bytes of a photo.
    static let largestPhoto = 64 << 20
    /// Maximum bytes of a photo's file name, as in file systems.
    static let longestFileName = 255
}

/// Measures of the printed report, in points.
enum ReportSettings {
    /// A4.
    static let pageWidth = 595.0
    /// A4.
    static let pageHeight = 842.0
    /// Margin of a page.
    static let margin = 42.0
    /// Maximum height of the map on the first page.
    static let mapHeight = 520.0
    /// Height of the legend below it: three rows.
    static let legendHeight = 51.0
    /// Padding between the map's contents and its edges.
    static let mapPadding = 44.0
    /// Width of the route's line on the map.
    static let lineWidth = 3.0
    /// Maximum lines of the title on the first page.
    static let mostTitleLines = 6
    /// Height of the elevation chart.
    static let chartHeight = 270.0
    /// Height of the charts of heart rate and pace.
    static let sensorHeight = 190.0
    /// Pixels of tiles per point of the page: sharp in print.
    static let tileScale = 2.0
    /// Maximum number of tiles of a map.
    static let mostTiles = 96
    /// Maximum number of zoom levels by which tiles are enlarged.
    static let coarsestTiles = 1
    /// Longest side of a photo in the report, in pixels: 250 dots per inch.
    static let photoSide = 1000
    /// JPEG quality, 0…1.
    static let photoQuality = 0.78
    /// Height of the box that a photo is fitted into.
    static let photoHeight = 182.0
    /// Gap between photos.
    static let photoGap = 17.0
    /// Maximum lines of a note under a photo; the table has the whole note.
    static let captionLines = 2
    /// Maximum rows of the table of splits; longer journeys have longer splits.
    static let mostSplits = 20
    /// Relative difference below which two lengths are equal.
    static let sameLength = 0.01
    /// Maximum distance in metres from the line of a waypoint marked on the elevation chart.
    static let chartReach = 250.0
    /// Maximum number of waypoints marked on the elevation chart.
    static let mostChartMarks = 40
    /// The creator in the metadata of documents.
    static let creator = "Rutter"
}
