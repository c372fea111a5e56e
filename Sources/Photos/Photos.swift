import Foundation

/// A square preview of a photo.
public struct Thumbnail: Sendable, Hashable {
    /// The JPEG, smaller than `PhotoSettings.thumbnailLimit`.
    public var jpeg: Data
    /// The quality it was written with: that of the settings, or less where the picture was too noisy for it.
    public var quality: Double

    /// Whether the quality had to be lowered to stay under the limit.
    var wasReduced: Bool { quality < PhotoSettings.thumbnailQuality }
}

/// Reads photos and creates the two JPEGs that a waypoint stores.
///
/// JPEG (baseline, progressive, grey, CMYK), PNG and HEIC are read, detected by content. Any error in
/// the bytes throws a `PhotoError`. A truncated photo is rejected, not filled with grey.
///
/// Privacy: written files contain no EXIF and no other metadata — no position, no time, no camera. A colour photo
/// keeps its ICC profile, without which its colours would be wrong; a thumbnail keeps one that is short.
public enum Photos {
    /// Size and EXIF of a photo. Only headers are read: the picture itself may still be damaged.
    public static func info(_ data: Data) throws(PhotoError) -> PhotoInfo {
        try Opened(data).info
    }

    /// The picture as stored, not turned; transparency is laid on white.
    public static func decode(_ data: Data) throws(PhotoError) -> Bitmap {
        try Opened.decode([UInt8](data), shrink: 1, nil)
    }

    /// The whole picture as a JPEG, turned upright by its EXIF orientation.
    public static func uprightJPEG(
        _ data: Data, quality: Double = PhotoSettings.fullQuality
    ) throws(PhotoError) -> Data {
        let photo = try Opened(data)
        let (info, profile) = (photo.info, try photo.profile())
        let bitmap = try photo.decoded(shrink: 1)
        return try JPEGFile.encode(bitmap, orientation: info.orientation, quality: quality, profile: profile)
    }

    /// The picture as a JPEG no longer than `longestSide` pixels, turned upright by its EXIF orientation. A smaller
    /// picture keeps its size. The decoder shrinks first, so that a large photo takes little memory.
    public static func uprightJPEG(
        _ data: Data, longestSide: Int, quality: Double = PhotoSettings.fullQuality
    ) throws(PhotoError) -> Data {
        let photo = try Opened(data)
        let info = photo.info
        let side = max(info.width, info.height)
        let shrink = [8, 4, 2].first { side / $0 >= longestSide } ?? 1
        let profile = try photo.profile()
        var bitmap = try photo.decoded(shrink: info.kind == .jpeg ? shrink : 1)
        let present = max(bitmap.width, bitmap.height)
        if present > longestSide {
            let scale = Double(longestSide) / Double(present)
            let width = max(1, Int((Double(bitmap.width) * scale).rounded()))
            let height = max(1, Int((Double(bitmap.height) * scale).rounded()))
            guard let small = Resampling.stretched(bitmap, width: width, height: height) else {
                throw .corrupt("no pixels")
            }
            bitmap = small
        }
        return try JPEGFile.encode(bitmap, orientation: info.orientation, quality: quality, profile: profile)
    }

    /// An upright square preview, cropped to the middle of the picture.
    ///
    /// Starts with quality 0.7 and reduces it in steps of 0.1 until the file is under 10 KB; the result has
    /// the final quality.
    public static func thumbnail(_ data: Data) throws(PhotoError) -> Thumbnail {
        try thumbnail(data, limit: PhotoSettings.thumbnailLimit)
    }

    static func thumbnail(_ data: Data, limit: Int) throws(PhotoError) -> Thumbnail {
        let photo = try Opened(data)
        let info = photo.info
        let bitmap = try photo.decoded(shrink: shrink(for: info))
        guard let square = Resampling.aspectFill(bitmap, side: PhotoSettings.thumbnailSide) else {
            throw .corrupt("no pixels")
        }
        let whole = try photo.profile()
        let profile = whole.count <= PhotoSettings.thumbnailProfileLimit ? whole : []
        var quality = PhotoSettings.thumbnailQuality
        while true {
            let jpeg = try JPEGFile.encode(
                square, orientation: info.orientation, quality: quality, profile: profile)
            let next = quality - PhotoSettings.thumbnailQualityStep
            if jpeg.count < limit || next < 0.05 {
                return Thumbnail(jpeg: jpeg, quality: quality)
            }
            quality = (next * 100).rounded() / 100
        }
    }

    /// How far the decoder itself may shrink while leaving enough pixels for averaging.
    private static func shrink(for info: PhotoInfo) -> Int {
        let least = PhotoSettings.thumbnailSide * PhotoSettings.thumbnailOversampling
        let side = min(info.width, info.height)
        return [8, 4, 2].first { side / $0 >= least } ?? 1
    }
}

/// A photo whose headers are read.
private struct Opened {
    let info: PhotoInfo
    private let bytes: [UInt8]
    /// The headers of a HEIC file, which are read in a separate process.
    private var heic: HEIFFile.Header?

    init(_ data: Data) throws(PhotoError) {
        bytes = [UInt8](data)
        guard let kind = PhotoKind(sniffing: bytes) else { throw .notAnImage }
        if kind == .heic {
            let header = try HEIFFile.header(bytes)
            try PhotoLimits.check(width: header.width, height: header.height)
            var exif = ExifBlock.read(tiff: header.exif)
            // The decoder has turned the picture already.
            exif.orientation = 1
            info = PhotoInfo(kind: kind, width: header.width, height: header.height, exif: exif)
            heic = header
            return
        }
        let size = kind == .jpeg ? try JPEGFile.size(bytes) : try PNGFile.size(bytes)
        try PhotoLimits.check(width: size.width, height: size.height)
        let exif = ExifBlock.read(bytes, kind: kind)
        var info = PhotoInfo(kind: kind, width: size.width, height: size.height, exif: exif)
        if info.taken == nil || info.coordinate == nil, let packet = XMPPacket(bytes) {
            if info.taken == nil, let time = XMPTime.read(packet) {
                (info.taken, info.takenOffset) = (time.taken, time.offset)
            }
            // What editors wrote beside a position that cannot be read is the later word.
            // A position without a fix is void there too.
            if info.coordinate == nil, info.positionFault != .void, let place = XMPPosition.read(packet) {
                (info.coordinate, info.positionFault) = (place, nil)
            }
        }
        self.info = info
    }

    func decoded(shrink: Int) throws(PhotoError) -> Bitmap {
        try Self.decode(bytes, shrink: shrink, heic)
    }

    static func decode(
        _ bytes: [UInt8], shrink: Int, _ heic: HEIFFile.Header?
    ) throws(PhotoError) -> Bitmap {
        switch PhotoKind(sniffing: bytes) {
        case .jpeg: try JPEGFile.decode(bytes, shrink: shrink)
        case .png: try PNGFile.decode(bytes)
        case .heic: try HEIFFile.decode(bytes, heic)
        case nil: throw .notAnImage
        }
    }

    func profile() throws(PhotoError) -> [UInt8] {
        info.kind == .jpeg ? try JPEGFile.profile(bytes) : heic?.profile ?? []
    }
}
