/// The distinct words of many names, sorted, with a search for similar ones.
package struct PlaceVocabulary: Sendable {
    /// The concatenated words.
    let bytes: [UInt8]
    /// Where each begins; one more than there are words.
    let starts: [UInt32]
    /// How many letters each has in common with the word before it.
    private let shared: [UInt8]

    /// A vocabulary of words that are sorted and distinct.
    init(bytes: [UInt8], starts: [UInt32]) {
        (self.bytes, self.starts) = (bytes, starts)
        var shared = [UInt8](repeating: 0, count: max(0, starts.count - 1))
        bytes.withUnsafeBufferPointer { bytes in
            for word in shared.indices.dropFirst() {
                let (first, second) = (Int(starts[word - 1]), Int(starts[word]))
                let longest = min(second - first, Int(starts[word + 1]) - second, 255)
                var count = 0
                while count < longest, bytes[first + count] == bytes[second + count] { count += 1 }
                shared[word] = UInt8(count)
            }
        }
        self.shared = shared
    }

    /// A vocabulary of the distinct ones of some words.
    package init(_ words: Set<[UInt8]>) {
        var (bytes, starts): ([UInt8], [UInt32]) = ([], [0])
        for word in words.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            bytes += word
            starts.append(UInt32(bytes.count))
        }
        self.init(bytes: bytes, starts: starts)
    }

    /// The number of words.
    package var count: Int { shared.count }

    /// A word.
    subscript(_ word: Int) -> ArraySlice<UInt8> { bytes[Int(starts[word])..<Int(starts[word + 1])] }

    /// The number of letters of a word.
    package func length(_ word: Int) -> Int { Int(starts[word + 1] - starts[word]) }

    /// The word that equals another.
    package func index(of word: [UInt8]) -> Int? {
        let index = lowerBound(word)
        return index < count && self[index].elementsEqual(word) ? index : nil
    }

    /// The words with this prefix, including the word itself.
    package func range(beginning prefix: [UInt8]) -> Range<Int> {
        let start = lowerBound(prefix)
        // After all words with this prefix: 0xFF occurs in no text.
        return start..<max(start, lowerBound(prefix + [0xFF]))
    }

    private func lowerBound(_ word: [UInt8]) -> Int {
        var (low, high) = (0, count)
        bytes.withUnsafeBufferPointer { bytes in
            word.withUnsafeBufferPointer { word in
                while low < high {
                    let middle = (low + high) / 2
                    let start = Int(starts[middle])
                    let length = Int(starts[middle + 1]) - start
                    var index = 0
                    while index < length, index < word.count, bytes[start + index] == word[index] {
                        index += 1
                    }
                    let isLess =
                        index < word.count && (index == length || bytes[start + index] < word[index])
                    if isLess { low = middle + 1 } else { high = middle }
                }
            }
        }
        return low
    }

    /// A word that resembles another.
    package struct Similar {
        package let word: Int
        /// Letters dropped, added, replaced, or swapped with the next.
        package let mistakes: Int
        /// Whether only the word's beginning resembles it.
        let isBeginning: Bool
    }

    /// The words within a number of mistakes of a word, in order; with `beginnings` also those with such a
    /// prefix.
    ///
    /// Each counts as one: a letter dropped, added or replaced, or two neighbours swapped (the optimal string alignment
    /// distance). The rows of the distance's table are kept for the letters that a word shares with the one before it, and
    /// words below a prefix that is too far are skipped.
    package func similar(to word: [UInt8], mistakes: Int, beginnings: Bool) -> [Similar] {
        let length = word.count
        guard length > 0, length <= PlaceSearchSettings.longestWord else { return [] }
        let width = length + 1
        let deepest = PlaceSearchSettings.longestWord + mistakes
        let far = UInt8(mistakes + 1)
        var found: [Similar] = []
        var starting = 0
        // Row d: the distance of the first d letters of a word from each prefix of the searched word.
        var table = [UInt8](repeating: far, count: (deepest + 2) * width)
        for column in 0..<width { table[column] = UInt8(min(column, Int(far))) }
        // The least distance of a prefix of up to d letters from the whole searched word.
        var least = [UInt8](repeating: far, count: deepest + 2)
        table.withUnsafeMutableBufferPointer { table in
            word.withUnsafeBufferPointer { word in
                bytes.withUnsafeBufferPointer { bytes in
                    var index = 0
                    var dead = Int.max
                    while index < count {
                        let common = Int(shared[index])
                        if common >= dead {
                            let isStart = least[dead] < far
                            if isStart, beginnings, starting < PlaceSearchSettings.mistakenStarts {
                                starting += 1
                                found.append(
                                    Similar(word: index, mistakes: Int(least[dead]), isBeginning: true))
                            }
                            index += 1
                            continue
                        }
                        dead = Int.max
                        let start = Int(starts[index])
                        let end = Int(starts[index + 1])
                        var depth = min(common, end - start)
                        while start + depth < end {
                            if depth >= deepest {
                                dead = depth
                                break
                            }
                            let letter = bytes[start + depth]
                            let before = depth > 0 ? bytes[start + depth - 1] : 0
                            let above = depth * width
                            let row = above + width
                            var smallest = UInt8(min(depth + 1, Int(far)))
                            table[row] = smallest
                            let first = max(1, depth + 1 - mistakes)
                            let last = min(length, depth + 1 + mistakes)
                            if first > 1 {
                                table[row + first - 1] = far
                                smallest = far
                            }
                            if first <= last {
                                for column in first...last {
                                    let same = word[column - 1] == letter
                                    var cost = table[above + column - 1] + (same ? 0 : 1)
                                    cost = min(cost, table[row + column - 1] + 1)
                                    if column < depth + 1 + mistakes {
                                        cost = min(cost, table[above + column] + 1)
                                    }
                                    if column > 1, depth > 0, word[column - 2] == letter,
                                        word[column - 1] == before
                                    {
                                        cost = min(cost, table[above - width + column - 2] + 1)
                                    }
                                    cost = min(cost, far)
                                    table[row + column] = cost
                                    smallest = min(smallest, cost)
                                }
                            }
                            if last < length { table[row + last + 1] = far }
                            let whole = last == length && first <= last ? table[row + length] : far
                            least[depth + 1] = min(depth > 0 ? least[depth] : far, whole)
                            depth += 1
                            if smallest >= far {
                                dead = depth
                                break
                            }
                        }
                        if dead == Int.max {
                            let size = end - start
                            let distance =
                                abs(size - length) <= mistakes && size > 0
                                ? table[size * width + length] : far
                            if distance < far {
                                found.append(
                                    Similar(word: index, mistakes: Int(distance), isBeginning: false))
                            } else if beginnings, least[size] < far,
                                starting < PlaceSearchSettings.mistakenStarts
                            {
                                starting += 1
                                found.append(
                                    Similar(word: index, mistakes: Int(least[size]), isBeginning: true))
                            }
                        } else if beginnings, least[dead] < far,
                            starting < PlaceSearchSettings.mistakenStarts
                        {
                            starting += 1
                            found.append(Similar(word: index, mistakes: Int(least[dead]), isBeginning: true))
                        }
                        index += 1
                    }
                }
            }
        }
        return found
    }
}
