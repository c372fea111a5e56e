import Core
import Testing

@Suite struct PartitionIndexTests {
    @Test func equalsTheFirstIndexThatALookThroughAllFinds() {
        for count in 0..<40 {
            let values = (0..<count).map { $0 / 3 * 2 }
            for wanted in -1...(count + 1) {
                #expect(
                    values.partitionIndex { $0 >= wanted }
                        == values.firstIndex { $0 >= wanted } ?? values.endIndex,
                    "\(count) values, \(wanted)")
            }
        }
    }

    @Test func indicesAreThoseOfASlice() {
        let slice = [9, 9, 1, 2, 3, 9][2..<5]
        #expect(slice.partitionIndex { $0 >= 3 } == 4)
        #expect(slice.partitionIndex { $0 > 3 } == slice.endIndex)
    }

    @Test func asksALogarithmOfTheCount() {
        var asked = 0
        let index = (0..<1_000_000).partitionIndex { value in
            asked += 1
            return value >= 777_777
        }
        #expect(index == 777_777)
        #expect(asked <= 20)
    }
}
