/// The constants of the photo functions.
public enum PhotoSettings {
    /// Maximum number of pixels of a photo.
    static let maximumPixels = 100_000_000
    /// Maximum side of a PNG photo in pixels: cairo's limit.
    public static let maximumSide = 32_767
    /// Quality of the full-size photo, 0…1.
    public static let fullQuality = 0.8
    /// Side of a thumbnail in pixels.
    public static let thumbnailSide = 100
    /// Quality of a thumbnail, 0…1.
    static let thumbnailQuality = 0.7
    /// A thumbnail is smaller than this, in bytes.
    static let thumbnailLimit = 10_000
    /// A colour profile longer than this, in bytes, is omitted from a thumbnail, where it would dominate the size.
    static let thumbnailProfileLimit = 2_500
    /// Reduction of the quality with each try while a thumbnail is too big.
    static let thumbnailQualityStep = 0.1
    /// A photo is first shrunk by the decoder to no less than this many thumbnail sides.
    static let thumbnailOversampling = 2
    /// Memory that the JPEG decoder may allocate besides the pixels, in bytes: the coefficients of a progressive
    /// photo.
    static let decoderMemory: Int64 = 768 << 20
    /// Maximum number of scans of a progressive JPEG; encoders write about ten, a hostile file a thousand.
    static let maximumScans = 100
    /// Scans that even the largest photo may have.
    static let leastScans = 20
    /// Maximum number of pixels in all scans together, which bounds the time that a small file can take.
    static let maximumScannedPixels = 1_000_000_000
}
