extension Lineage {
    /// The encoded lineage.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.add(count: starts.count)
        for start in starts {
            writer.add(start.epoch)
            writer.add(start.number)
        }
        return writer.bytes
    }

    init?(bytes: [UInt8]) {
        let lineage = bytes.withUnsafeBytes {
            var reader = ByteReader($0)
            return Lineage(&reader)
        }
        guard let lineage else { return nil }
        self = lineage
    }

    private init?(_ reader: inout ByteReader) {
        guard let count = reader.count() else { return nil }
        var starts: [EpochStart] = []
        for _ in 0..<count {
            guard let epoch = reader.word(), let number = reader.word() else { return nil }
            starts.append(EpochStart(epoch: epoch, number: Int64(bitPattern: number)))
        }
        self.init(starts: starts)
    }
}
