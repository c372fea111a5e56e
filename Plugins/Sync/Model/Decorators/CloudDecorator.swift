/// A cloud that wraps another and forwards what it does not handle itself.
package protocol CloudDecorator: CloudBackend {
    associatedtype Base: CloudBackend
    /// The wrapped cloud.
    var base: Base { get set }
}

extension CloudDecorator {
    package mutating func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply {
        try base.answer(request)
    }
    package mutating func latest() throws(CloudFailure) -> Int64 { try base.latest() }
    package mutating func digests(of ranges: [KeyRange]) throws(CloudFailure) -> [RangeDigest]? {
        try base.digests(of: ranges)
    }
    package mutating func differences(
        from own: (KeyRange) -> RangeDigest
    ) throws(CloudFailure) -> [KeyRange]? {
        try base.differences(from: own)
    }
    package mutating func awaitHint(seconds: Double) throws(CloudFailure) -> Bool {
        try base.awaitHint(seconds: seconds)
    }
    package mutating func state() throws(CloudFailure) -> ZoneState { try base.state() }
    package mutating func outline() throws(CloudFailure) -> ZoneImage { try base.outline() }
    package mutating func image() throws(CloudFailure) -> ZoneImage { try base.image() }
    package mutating func restore(_ image: ZoneImage, epoch: UInt64?) throws(CloudFailure) {
        try base.restore(image, epoch: epoch)
    }
    package mutating func begin(epoch: UInt64) throws(CloudFailure) { try base.begin(epoch: epoch) }
    package mutating func forgetTombstones(upTo number: Int64) throws(CloudFailure) {
        try base.forgetTombstones(upTo: number)
    }
    package mutating func collectBlobs(below number: Int64) throws(CloudFailure) {
        try base.collectBlobs(below: number)
    }
    package mutating func collectOperations() throws(CloudFailure) { try base.collectOperations() }

    /// Requests to save one record; `nil` if the cloud's answer concerns the whole request.
    mutating func save(
        _ operation: SaveOperation, _ token: ChangeToken, _ mark: inout HistoryMark?
    ) throws(CloudFailure) -> SaveResult? {
        let reply = try base.answer(.save(token: token, operations: [operation]))
        guard case .saved(let results, let newest) = reply else { return nil }
        mark = newest
        return results.first
    }

    /// Saves records one by one.
    mutating func saveEach(
        _ operations: [SaveOperation],
        _ save: (inout Self, SaveOperation, inout HistoryMark?) throws(CloudFailure) -> SaveResult?
    ) throws(CloudFailure) -> CloudReply {
        var results: [SaveResult] = []
        var mark: HistoryMark?
        for operation in operations {
            guard let result = try save(&self, operation, &mark) else { return .expired }
            results.append(result)
        }
        return .saved(results, mark)
    }
}
