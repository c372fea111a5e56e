/// Boarding and alighting between stops (`continuous_pickup`, `continuous_drop_off`).
struct ContinuousStopping: Hashable {
    /// 0 anywhere, 1 not, 2 after a call to the agency, 3 by arrangement with the driver; others are unknown.
    var pickup = 1
    var dropOff = 1

    /// What a rider has to know from a call to the next one; `nil` where the vehicle stops at stops alone.
    var note: String? {
        if pickup == 0, dropOff == 0 { return "stops anywhere on request until the next stop" }
        let parts = [("boarding", pickup), ("alighting", dropOff)].compactMap { what, type in
            Self.words(type).map { "\(what) until the next stop \($0)" }
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func words(_ type: Int) -> String? {
        switch type {
        case 0: "anywhere on request"
        case 2: "after a call to the agency"
        case 3: "by arrangement with the driver"
        default: nil
        }
    }
}
