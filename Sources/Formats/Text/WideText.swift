import Foundation

/// Text of two or four bytes for each character that does not say so by a mark, or whose mark is that of UTF-32. In a table most
/// characters are those of ASCII, so that their other bytes are zero.
package enum WideText: String, Sendable {
    case utf16LittleEndian = "UTF-16 (little endian)"
    case utf16BigEndian = "UTF-16 (big endian)"
    case utf32LittleEndian = "UTF-32 (little endian)"
    case utf32BigEndian = "UTF-32 (big endian)"

    /// Bytes that are looked at.
    private static let sample = 4096
    /// Fewer bytes say nothing.
    private static let fewest = 8

    /// `nil` for a text of another kind.
    init?(head: [UInt8]) {
        if head.starts(with: [0xFF, 0xFE, 0, 0]) {
            self = .utf32LittleEndian
            return
        }
        if head.starts(with: [0, 0, 0xFE, 0xFF]) {
            self = .utf32BigEndian
            return
        }
        // The marks of UTF-16.
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return nil }
        let groups = min(head.count, Self.sample) / 4
        guard groups * 4 >= Self.fewest else { return nil }
        // How many of the first, second, third and fourth bytes of four are zero.
        var zeros = [0, 0, 0, 0]
        for index in 0..<groups * 4 where head[index] == 0 { zeros[index % 4] += 1 }
        if zeros[3] == groups, zeros[2] == groups, zeros[0] == 0 {
            self = .utf32LittleEndian
        } else if zeros[0] == groups, zeros[1] == groups, zeros[3] == 0 {
            self = .utf32BigEndian
        } else if zeros[0] + zeros[2] == 0, zeros[1] + zeros[3] > groups {
            self = .utf16LittleEndian
        } else if zeros[1] + zeros[3] == 0, zeros[0] + zeros[2] > groups {
            self = .utf16BigEndian
        } else {
            return nil
        }
    }

    var encoding: String.Encoding {
        switch self {
        case .utf16LittleEndian: .utf16LittleEndian
        case .utf16BigEndian: .utf16BigEndian
        case .utf32LittleEndian: .utf32LittleEndian
        case .utf32BigEndian: .utf32BigEndian
        }
    }
}
