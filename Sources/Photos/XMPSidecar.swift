import Foundation
import Geodesy

/// What a file of XMP beside a photo says of it, as programs that do not change photos write it.
public struct XMPSidecar: Sendable, Hashable {
    /// When it was taken, as EXIF writes it; `nil` if it does not say.
    public let taken: String?
    /// The offset of that time from UTC.
    public let takenOffset: String?
    /// Where it was taken.
    public let coordinate: Coordinate?

    /// Reads a file; `nil` if it has no packet.
    public init?(_ data: Data) {
        guard let packet = XMPPacket([UInt8](data)) else { return nil }
        let time = XMPTime.read(packet)
        (taken, takenOffset) = (time?.taken, time?.offset)
        coordinate = XMPPosition.read(packet)
    }
}
