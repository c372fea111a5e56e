import Foundation
import Synchronization
import Testing

@testable import Core

@Suite("Groups of background work")
struct BackgroundWorkGroupTests {
    @Test("all works are asked to stop before one is waited for", .timeLimit(.minutes(1)))
    func end() {
        let group = BackgroundWorkGroup()
        let stopped = Atomic(0)
        // Neither ends before both are asked to stop.
        for _ in 0..<2 {
            _ = group.start { isStopped in
                while !isStopped() { Thread.sleep(forTimeInterval: 0.001) }
                stopped.add(1, ordering: .sequentiallyConsistent)
                while stopped.load(ordering: .sequentiallyConsistent) < 2 {
                    Thread.sleep(forTimeInterval: 0.001)
                }
            }
        }
        group.end()
        #expect(stopped.load(ordering: .sequentiallyConsistent) == 2)
    }

    @Test("a result can be taken before the end")
    func result() throws {
        let group = BackgroundWorkGroup()
        let work = group.start { _ in 7 }
        #expect(try work.result() == 7)
        group.end()
    }
}
