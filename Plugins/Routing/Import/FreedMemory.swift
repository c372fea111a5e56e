import COsmium

/// What an import frees goes back to the system, also where the freed pieces lie among others: they are many and of all sizes,
/// and the phases of an import need different ones.
enum FreedMemory {
    /// Does work whose large blocks go back as soon as they are freed.
    static func givenBack<T>(during work: () throws -> T) rethrows -> T {
        cosm_keep_large_apart(1)
        defer {
            cosm_keep_large_apart(0)
            giveBack()
        }
        return try work()
    }

    /// Gives back what is free at the end of a phase.
    static func giveBack() { cosm_give_back() }
}
