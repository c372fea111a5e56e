/// A cloud as the seed's rule uses it.
typealias SeedCloud<Base: CloudBackend> = UncheckedTags<UnnumberedOperations<ForgottenDeletions<Base>>>

extension UncheckedTags {
    /// The seed's faults around a cloud.
    static func seed<Cloud>(_ cloud: Cloud) -> Self where Self == SeedCloud<Cloud> {
        Self(base: UnnumberedOperations(base: ForgottenDeletions(base: cloud)))
    }
}

/// The fault that the cloud saves every version, without checking what it is based on.
package struct UncheckedTags<Base: CloudBackend>: CloudDecorator {
    package var base: Base
    package init(base: Base) { self.base = base }

    package mutating func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply {
        guard case .save(let token, _, let operations) = request else { return try base.answer(request) }
        return try saveEach(operations) { (cloud, operation, mark) throws(CloudFailure) in
            var operation = operation
            while true {
                let result = try cloud.save(operation, token, &mark)
                guard case .refused(let held)? = result, held?.tag ?? 0 != operation.baseTag else {
                    return result
                }
                operation.baseTag = held?.tag ?? 0
            }
        }
    }
}

/// The fault that the cloud stores neither operation numbers nor their age.
package struct UnnumberedOperations<Base: CloudBackend>: CloudDecorator {
    package var base: Base
    package init(base: Base) { self.base = base }

    package mutating func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply {
        guard case .save(var token, _, let operations) = request else { return try base.answer(request) }
        token.number = ZoneNumbers.all.upperBound
        return try saveEach(operations) { (cloud, operation, mark) throws(CloudFailure) in
            var operation = operation
            // No device has the number 0, and each performed save advances the head.
            operation.id = OperationID(device: 0, number: UInt64(try cloud.base.latest()) + 1)
            return try cloud.save(operation, token, &mark)
        }
    }
}

/// The fault that a deletion removes the record from the cloud without a tombstone.
package struct ForgottenDeletions<Base: CloudBackend>: CloudDecorator {
    package var base: Base
    package init(base: Base) { self.base = base }

    package mutating func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply {
        if case .save(let token, _, let operations) = request {
            return try saveEach(operations) { (cloud, operation, mark) throws(CloudFailure) in
                try cloud.saveOverNothing(operation, token, &mark)
            }
        }
        let reply = try base.answer(request)
        guard case .page(var page) = reply else { return reply }
        let last = page.records.last
        page.records.removeAll(where: \.version.isDeleted)
        if case .fetch(_, let witness, let limit) = request, page.records.isEmpty, page.hasMore, let last {
            return try answer(.fetch(after: last.key, witness: witness, limit: limit))
        }
        return .page(page)
    }

    private mutating func saveOverNothing(
        _ operation: SaveOperation, _ token: ChangeToken, _ mark: inout HistoryMark?
    ) throws(CloudFailure) -> SaveResult? {
        let result = try save(operation, token, &mark)
        switch result {
        case .refused(let held?)? where held.version.isDeleted:
            if operation.baseTag != 0 { return .refused(nil) }
            var again = operation
            again.baseTag = held.tag
            return try save(again, token, &mark)
        case .duplicate? where operation.version.isDeleted: return .refused(nil)
        default: return result
        }
    }

    package mutating func state() throws(CloudFailure) -> ZoneState {
        var state = try base.state()
        state.records.removeAll(where: \.version.isDeleted)
        return state
    }
}
