import Foundation

/// Records in the order of their keys: those after one, up to another. Without a key it begins or ends with the zone.
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

/// What the records of a range hold, without those that are deleted: how many, and the sum of the digests of their contents. Equal
/// sums of unequal contents do not happen by accident; the digest is SHA-256, of which databases know the first 60 bits as a number.
package struct RangeDigest: Hashable, Sendable {
    package private(set) var count = 0
    package private(set) var sum: UInt64 = 0

    /// The bits of a digest: what fits into a signed number of 64 bits many times over.
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

/// Finds where a device's records and a zone's differ: ranges that differ are parted until few records are left.
struct RangeComparison {
    private enum Settings {
        /// Parts of a range that differs.
        static let parts = 16
        /// Records of a range that is read instead of parted.
        static let few = 16
        /// Ranges that differ beyond which the whole zone is read: asking further would cost more.
        static let many = 64
    }

    private let keys: [RecordKey]
    private let digests: [UInt64]
    /// Times that the zone was asked.
    private(set) var requests = 0

    /// Of the device's records, in their order, without those that are deleted.
    init(_ records: [(key: RecordKey, version: Version)]) {
        let live = records.filter { !$0.version.isDeleted }
        keys = live.map(\.key)
        digests = live.map { RangeDigest.digest($0.key, VersionCoding.bytes($0.version)) }
    }

    /// Ranges with all that differs; one of everything where the cloud knows no digests, or most of it differs.
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
