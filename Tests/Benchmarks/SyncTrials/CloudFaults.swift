import SyncPlugin

/// Numbers are assigned before the transaction ends, as by a database sequence: every other save becomes
/// visible to others only after two further requests.
struct SequenceNumbers: CloudDecorator {
    var base: MemoryZone
    private var saves = 0
    private var hidden: Set<Int64> = []
    private var patience = 0

    init(base: MemoryZone) { self.base = base }

    mutating func answer(_ request: CloudRequest) -> CloudReply {
        patience -= 1
        if patience <= 0 { hidden = [] }
        let before = base.latest()
        let reply = base.answer(request)
        switch reply {
        case .saved:
            saves += 1
            hidden = saves % 2 == 0 ? Set((before + 1)...max(before + 1, base.latest())) : []
            patience = 2
        case .page(var page):
            page.records.removeAll { hidden.contains($0.tag) }
            if case .changes = request, !page.hasMore { page.token.number = base.latest() }
            return .page(page)
        default: break
        }
        return reply
    }

    func state() -> ZoneState {
        var state = base.state()
        state.records.removeAll { hidden.contains($0.tag) }
        return state
    }
}

/// The token of a page is the zone's head, not the number of the page's last record.
struct HeadAsToken: CloudDecorator {
    var base: MemoryZone

    mutating func answer(_ request: CloudRequest) -> CloudReply {
        let reply = base.answer(request)
        guard case .changes = request, case .page(var page) = reply else { return reply }
        page.token.number = base.latest()
        page.hasMore = false
        return .page(page)
    }
}

/// Blobs arrive after the record that references them, if the next request arrives at all.
struct LateBlobs: CloudDecorator {
    var base: MemoryZone
    private var late: Set<BlobReference> = []

    init(base: MemoryZone) { self.base = base }

    mutating func answer(_ request: CloudRequest) -> CloudReply {
        if case .putBlobs(let blobs) = request {
            late.formUnion(blobs.map(\.reference))
        } else if case .save = request {
        } else {
            late = []
        }
        return base.answer(request)
    }

    func image() -> ZoneImage {
        var image = base.image()
        image.blobs.removeAll { late.contains($0.reference) }
        return image
    }
}

/// Unused blobs are determined by a read and deleted later, regardless of saves in between.
struct BlobsInUseCollected: CloudDecorator {
    private static let delay = 3

    var base: MemoryZone
    private var unused: Set<BlobReference> = []
    private var requests = 0

    init(base: MemoryZone) { self.base = base }

    mutating func answer(_ request: CloudRequest) -> CloudReply {
        let reply = base.answer(request)
        requests -= 1
        if requests == 0 {
            var image = base.image()
            image.blobs.removeAll { unused.contains($0.reference) }
            base.restore(image, epoch: nil)
        }
        return reply
    }

    mutating func collectBlobs(below number: Int64) {
        let image = base.image()
        unused = Set(image.blobs.map(\.reference)).subtracting(image.records.flatMap(\.version.blobs))
        requests = Self.delay
    }
}

/// Neither epoch nor history is checked: after a restore, devices continue with their old token.
struct EpochIgnored: CloudDecorator {
    var base: MemoryZone
    /// The only history known to devices.
    private let first: Lineage

    init(base: MemoryZone) {
        self.base = base
        first = base.lineage
    }

    mutating func answer(_ request: CloudRequest) -> CloudReply {
        let reply: CloudReply
        var read: Int64 = 0
        switch request {
        case .save(let token, _, let operations):
            reply = base.answer(.save(token: present(token), operations: operations))
        case .changes(let token, _, let limit):
            read = token.number
            reply = base.answer(.changes(since: present(token), limit: limit))
        case .fetch(let key, _, let limit): reply = base.answer(.fetch(after: key, limit: limit))
        default: reply = base.answer(request)
        }
        guard case .page(var page) = reply else { return reply }
        page.token = ChangeToken(epoch: first.epoch, number: max(page.token.number, read))
        page.lineage = first
        return .page(page)
    }

    private func present(_ token: ChangeToken) -> ChangeToken {
        ChangeToken(epoch: base.lineage.epoch, number: min(token.number, base.latest()))
    }

    func state() -> ZoneState {
        var state = base.state()
        state.lineage = first
        return state
    }
}

/// The cloud answers tokens below its floor as if nothing had been discarded.
struct FloorIgnored: CloudDecorator {
    var base: MemoryZone

    mutating func answer(_ request: CloudRequest) -> CloudReply {
        guard case .changes(let token, let witness, let limit) = request, token.epoch == base.lineage.epoch,
            token.number < base.floor
        else { return base.answer(request) }
        let floor = ChangeToken(epoch: token.epoch, number: base.floor)
        guard case .page(var page) = base.answer(.changes(since: floor, witness: witness, limit: limit))
        else {
            return .expired
        }
        let changed = base.records.filter { $0.tag > token.number }.sorted { $0.tag < $1.tag }
        page.records = Array(changed.prefix(limit))
        page.token.number = page.records.last?.tag ?? token.number
        page.hasMore = changed.count > limit
        return .page(page)
    }
}

/// Operations are discarded together with their floors: a late one is treated as new.
struct ForgottenDoneAgain: CloudDecorator {
    var base: MemoryZone

    mutating func collectOperations() {
        base.collectOperations()
        var image = base.image()
        image.floors = [:]
        base.restore(image, epoch: nil)
    }
}

/// Operations whose answers their replicas have not received are discarded.
struct UnansweredForgotten: CloudDecorator {
    var base: MemoryZone

    mutating func collectOperations() {
        var image = base.image()
        for id in image.operations.keys {
            image.floors[id.device] = max(image.floors[id.device] ?? 0, id.number)
        }
        image.operations = [:]
        base.restore(image, epoch: nil)
    }
}

/// Marks of the history are discarded with the tombstones: a device that read before finds no known mark.
struct MarksCollected: CloudDecorator {
    var base: MemoryZone

    mutating func forgetTombstones(upTo number: Int64) {
        base.forgetTombstones(upTo: number)
        var image = base.image()
        image.history = MarkHistory(image.history.marks.filter { $0.number >= base.floor })
        base.restore(image, epoch: nil)
    }
}

/// The history is not checked: a device continues by the number of the last change alone.
struct HistoryIgnored: CloudDecorator {
    var base: MemoryZone

    mutating func answer(_ request: CloudRequest) -> CloudReply {
        switch request {
        case .save(let token, _, let operations): base.answer(.save(token: token, operations: operations))
        case .changes(let token, _, let limit): base.answer(.changes(since: token, limit: limit))
        case .fetch(let key, _, let limit): base.answer(.fetch(after: key, limit: limit))
        default: base.answer(request)
        }
    }
}

/// A known operation is identified by its identifier alone.
struct IdentifierAlone: CloudDecorator {
    var base: MemoryZone

    mutating func answer(_ request: CloudRequest) -> CloudReply {
        let reply = base.answer(request)
        guard case .save(_, _, let operations) = request, case .saved(var results, let mark) = reply else {
            return reply
        }
        for (index, operation) in operations.enumerated() where results[index] == .reused {
            let isThere = base.records.contains { $0.key == operation.key }
            results[index] = isThere ? .duplicate(base.operations[operation.id]?.tag ?? 0) : .refused(nil)
        }
        return .saved(results, mark)
    }
}

/// A photo lost by the cloud fails the request for it.
struct LostPhotoEndsSync: CloudDecorator {
    var base: MemoryZone

    mutating func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply {
        let reply = base.answer(request)
        if case .getBlobs(let wanted) = request, case .blobs(let found) = reply, found.count < wanted.count {
            throw .permanent("a photo of the cloud is missing")
        }
        return reply
    }
}

/// A record of an unknown type fails its request.
struct UnknownEndsPage: CloudDecorator {
    var base: MemoryZone

    mutating func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply {
        let reply = base.answer(request)
        if case .page(let page) = reply,
            page.records.contains(where: { !RecordType.known.contains($0.key.type) })
        {
            throw .permanent("a record of the cloud cannot be read")
        }
        return reply
    }
}

/// A replay runs in a zone in use, and empties it at the end.
struct ReplayEmptiesZone: CloudDecorator {
    private static let request = 12

    var base: MemoryZone
    private var requests = 0

    init(base: MemoryZone) { self.base = base }

    mutating func answer(_ request: CloudRequest) -> CloudReply {
        requests += 1
        if requests == Self.request {
            var image = ZoneImage.empty
            image.lineage = base.lineage
            base.restore(image, epoch: nil)
        }
        return base.answer(request)
    }
}

/// The first account to connect owns the tables, and row-level security does not isolate the other accounts'
/// records.
struct FirstSeesAll: CloudDecorator {
    var base: MemoryZone

    mutating func answer(_ request: CloudRequest) -> CloudReply {
        let reply = base.answer(request)
        guard case .fetch = request, case .page(var page) = reply, !page.hasMore else { return reply }
        page.records += SimulationSettings.otherZone.records.filter { other in
            !page.records.contains { $0.key == other.key }
        }
        return .page(page)
    }
}

/// A client that froze with the zone locked keeps the lock for ever: no time-out ends its transaction.
struct LockHeldForEver: CloudDecorator {
    private static let save = 8

    var base: MemoryZone
    private var saves = 0

    init(base: MemoryZone) { self.base = base }

    mutating func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply {
        if case .save = request { saves += 1 }
        if saves >= Self.save { throw .transient("the zone is locked") }
        return base.answer(request)
    }
}
