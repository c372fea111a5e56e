/// Heights of the ground in metres: what can be one, and what files write where none is known. Maps, rasters and recordings ask here.
public enum GroundHeights {
    /// Heights of land: the shore of the Dead Sea lies at −430 m, the highest summit at 8,849 m.
    public static let land = -450.0...9000.0
    /// Heights of a raster, which can have the ground of the sea: its deepest place lies at −10,935 m.
    public static let ground = -11_000.0...9000.0
    /// The value that means "none" in rasters that do not declare one, and could be a height of the ground of the sea. The others that are
    /// usual (−32768, −32767, 32767, 9999, ±99999) are outside the range.
    public static let none = -9999.0

    /// The height, if it can be one of land.
    public static func plausible(_ height: Double) -> Double? { land.contains(height) ? height : nil }

    /// Whether a sample of a raster can be a height.
    public static func isGround(_ sample: Double) -> Bool { sample != none && ground.contains(sample) }
}
