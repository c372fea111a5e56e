/// The constants of the module.
public enum PictureSettings {
    /// Font families in the order they are tried. Text in PNG and PDF is drawn with the installed ones, so
    /// its pixels depend on the machine; an SVG only names them.
    static let fontFamilies = ["DejaVu Sans", "sans-serif"]
    /// Average width of a character in relation to the font size, for layout without a font.
    public static let characterWidth = 0.62
    /// Font size, in points, of a label.
    public static let labelSize = 11.0
    /// Width of the rim around letters in relation to the font size.
    static let haloWidth = 0.27
    /// Maximum number of pixels of a picture.
    public static let maximumCanvasPixels = 64_000_000
    /// Maximum side of a picture, in pixels: cairo's limit.
    public static let maximumCanvasSide = 32_767
    /// Width of a terminal cell in points: 80 columns are 640 points.
    public static let cellWidth = 8.0
    /// Height of a terminal cell in points.
    public static let cellHeight = 16.0
    /// Maximum number of columns or rows of a terminal picture.
    static let maximumCells = 2_000
    /// Fills paler than this count as paper: in a terminal they erase instead of drawing.
    static let paperLuminance = 0.9
    /// Decimals of a coordinate in an SVG.
    static let svgDecimals = 2
}
