import Foundation

/// A range of records in key order: after one key, up to another. Without a key it begins or ends with the
/// zone.
package struct KeyRange: Hashable, Sendable {
    package let after: RecordKey?
    package let through: RecordKey?

    package static let all = KeyRange(after: nil, through: nil)

    func has(_ key: RecordKey) -> Bool {
        if let after, key <= after { return false }
        if let through, key > through { return false }
        return true
    }
}

/// The digest of a range without deleted records: their count and the sum of their content digests. Equal
/// sums of unequal contents do not happen by accident; the digest is SHA-256, stored in databases as its
/// first 60 bits.
package struct RangeDigest: Hashable, Sendable {
    package private(set) var count = 0
    package private(set) var sum: UInt64 = 0

    /// The bits of a digest: many of them can be summed in a signed 64-bit number.
    static let bits: UInt64 = 60
    private static let mask: UInt64 = (1 << bits) - 1

    package init() {}

    init(count: Int, sum: UInt64) {
        self.count = count
        self.sum = sum
    }

    mutating func add(_ digest: UInt64) {
        count += 1
        sum = (sum &+ digest) & Self.mask
    }

    mutating func add(_ other: RangeDigest) {
        count += other.count
        sum = (sum &+ other.sum) & Self.mask
    }

    /// The digest of a record.
    static func digest(_ key: RecordKey, _ content: [UInt8]) -> UInt64 {
        var bytes = Data("\(key.type.rawValue)/\(key.name.text)/".utf8)
        bytes.append(contentsOf: content)
        return BlobReference(bytes).high >> (64 - bits)
    }
}

/// Finds where a device's records and a zone's differ: ranges that differ are split until few records are
/// left.
struct RangeComparison {
    private enum Settings {
        /// Number of parts into which a differing range is split.
        static let parts = 16
        /// Maximum number of records of a range that is read instead of split.
        static let few = 16
        /// Number of differing ranges above which the whole zone is read: further requests would cost more.
        static let many = 64
    }

    private let keys: [RecordKey]
    private let digests: [UInt64]
    /// Number of requests to the zone.
    private(set) var requests = 0

    /// From the device's records, in order, without deleted ones.
    init(_ records: [(key: RecordKey, version: Version)]) {
        let live = records.filter { !$0.version.isDeleted }
        keys = live.map(\.key)
        digests = live.map { RangeDigest.digest($0.key, VersionCoding.bytes($0.version)) }
    }

    /// The ranges that contain all differences; one range of everything if the cloud has no digests or most
    /// of it differs.
    mutating func differences(_ cloud: inout any CloudBackend) throws(CloudFailure) -> [KeyRange] {
        let (keys, digests) = (keys, digests)
        if let found = try cloud.differences(from: { range in
            let first = range.after.map { after in keys.partitionIndex { $0 > after } } ?? 0
            let end = range.through.map { last in keys.partitionIndex { $0 > last } } ?? keys.count
            var digest = RangeDigest()
            for index in first..<max(first, end) { digest.add(digests[index]) }
            return digest
        }) {
            requests += 1
            return found.count > Settings.many ? [.all] : found
        }
        var open = [keys.indices]
        var found: [KeyRange] = []
        while !open.isEmpty {
            let ranges = open.map(range)
            requests += 1
            guard let theirs = try cloud.digests(of: ranges), theirs.count == ranges.count else {
                return [.all]
            }
            var next: [Range<Int>] = []
            for (index, indices) in open.enumerated() where theirs[index] != digest(indices) {
                if indices.count <= Settings.few {
                    found.append(ranges[index])
                } else {
                    next += parts(indices)
                }
            }
            if found.count + next.count / Settings.parts > Settings.many { return [.all] }
            open = next
        }
        return found
    }

    private func range(_ indices: Range<Int>) -> KeyRange {
        KeyRange(
            after: indices.lowerBound == 0 ? nil : keys[indices.lowerBound - 1],
            through: indices.upperBound == keys.count ? nil : keys[indices.upperBound - 1])
    }

    private func digest(_ indices: Range<Int>) -> RangeDigest {
        var digest = RangeDigest()
        for index in indices { digest.add(digests[index]) }
        return digest
    }

    private func parts(_ indices: Range<Int>) -> [Range<Int>] {
        let size = (indices.count + Settings.parts - 1) / Settings.parts
        return stride(from: indices.lowerBound, to: indices.upperBound, by: size).map {
            $0..<min($0 + size, indices.upperBound)
        }
    }
}
