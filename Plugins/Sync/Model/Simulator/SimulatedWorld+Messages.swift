import Foundation
import PluginKit

/// The messages between devices and the cloud.
extension SimulatedWorld {
    mutating func begin(_ index: Int, _ mode: SyncMachine.Mode) throws -> StepResult {
        if isOffline(index) || waitsForClock(index) { return "" }
        try transition(index) { machine, store, now in
            try machine.start(mode, in: &store, now: now)
        }
        return "starts a sync"
    }

    mutating func timeOut(_ index: Int) throws -> StepResult {
        guard devices[index].machine.isRunning else { return "" }
        try transition(index) { machine, store, _ in
            try machine.failed(.transient("no answer"), in: &store)
        }
        return "gives up waiting"
    }

    mutating func deliver(_ slot: Int) throws -> StepResult {
        let message = messages[slot]
        let index = message.device
        if present < devices[index].heldUntil { return "delayed" }
        messages.remove(at: slot)
        if isOffline(index) { return "lost, device \(index) is offline" }
        switch message.content {
        case .request(let request):
            let reply: CloudReply
            do {
                reply = message.isElsewhere ? other.answer(request) : try answer(request)
            } catch let failure as CloudFailure {
                return try fail(index, failure, of: message.number)
            }
            messages.append(
                Message(
                    device: index, number: message.number, isElsewhere: message.isElsewhere,
                    content: .reply(reply)))
            return "the cloud answers device \(index)"
        case .reply(let reply):
            let mixesUp = setup.mixesUpAnswers && reply.isOfSave
            try transition(index) { machine, store, now in
                let isMixedUp = mixesUp && machine.isPushing
                let number = isMixedUp ? machine.requestNumber : message.number
                return try machine.receive(reply, to: number, in: &store, now: now)
            }
            return StepResult("receives an answer", device: index)
        }
    }

    /// Reports to a device that the cloud could not answer.
    mutating func fail(_ index: Int, _ failure: CloudFailure, of number: UInt64) throws -> StepResult {
        // A failure of a stale request is ignored.
        if devices[index].machine.requestNumber != number || !devices[index].machine.isRunning { return "" }
        try transition(index) { machine, store, _ in try machine.failed(failure, in: &store) }
        return StepResult("receives a failure of the cloud", device: index)
    }

    mutating func answer(_ request: CloudRequest) throws -> CloudReply {
        guard case .save = request else { return try cloud.answer(request) }
        saves.append(request)
        let before = setup.watchesDeletions ? try cloud.state().records : []
        let reply = try cloud.answer(request)
        if setup.watchesDeletions { try checkNothingReturns(before) }
        if setup.looksAtEverySave {
            try checkTokens()
            if setup.checksBlobs { try checkBlobs() }
        }
        return reply
    }

    /// Invariant 4 at every step: no value removed from the cloud by a deletion returns, not even until a
    /// device that knows the deletion removes it again.
    mutating func checkNothingReturns(_ before: [CloudRecord]) throws {
        let after = try cloud.state().records
        for record in after {
            let values = record.version.fields.map { number($0.value) }
            if values.contains(where: deletedValues.contains) {
                throw Violation(
                    invariant: .deletedStaysDeleted, detail: "r\(record.key.name.low) came back temporarily")
            }
            // Deletions in a restored cloud's lost history do not count.
            guard record.version.isDeleted, restores == 0 else { continue }
            let old = before.first { $0.key == record.key }?.version.fields ?? []
            deletedValues.formUnion(old.map { number($0.value) }.filter { $0 != 0 })
        }
    }

    /// Handles an event on a device; its process may end during it.
    mutating func transition(
        _ index: Int,
        _ body: (inout SyncMachine, inout Store, Int64) throws -> SyncMachine.Output?
    ) throws {
        let before = try devices[index].store.simulated.durable.header
        let token = before.token
        devices[index].store.simulated.writesLeft = devices[index].writesUntilCrash
        do {
            var output = try devices[index].work(at: now, body)
            if devices[index].store.simulated.hasEnded { throw SimulatedCrash() }
            devices[index].writesUntilCrash = devices[index].store.simulated.writesLeft
            devices[index].store.simulated.writesLeft = nil
            if case .wait(let seconds)? = output {
                now += Int64(seconds * 1000)
                output = devices[index].machine.again().map { .send($0) }
            }
            if case .send(let request)? = output {
                messages.append(
                    Message(
                        device: index, number: devices[index].machine.requestNumber,
                        isElsewhere: devices[index].isElsewhere, content: .request(request)))
            }
        } catch  where devices[index].store.simulated.isOfFault(error) {
            devices[index].writesUntilCrash = nil
            try crash(index)
        }
        let after = try devices[index].store.simulated.durable.header
        if after.token != token {
            // The token decreases only together with the known history.
            let isRewound = (after.witness?.number ?? 0) < (before.witness?.number ?? 0)
            try checkToken(index, before: isRewound ? nil : token)
        }
    }

    mutating func crash(_ index: Int) throws {
        try devices[index].store.simulated.crash()
        devices[index].machine.reset()
        try checkOutbox(index)
    }
}
