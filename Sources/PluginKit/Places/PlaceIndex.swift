import Geodesy

/// The names of many places as words, with an index for search as you type.
///
/// Places are numbered by importance, so that truncated results keep the most important. All data are plain arrays: two million
/// bytes for 100,000 names. `PlaceIndexFile` writes and reads it.
public struct PlaceIndex: Sendable {
    /// An indexed place.
    public struct Entry: Sendable, Hashable {
        /// The name of the place; of an address street and number.
        public var name: String
        /// The kind.
        public var kind: String
        /// The rank: 0 for the most important … 9.
        public var rank: Int
        /// The prominence among places of its rank, 0…1, such as by the height of a peak or the
        /// size of a town.
        public var prominence: Double
        /// The coordinate.
        public var coordinate: Coordinate
        /// Further names by which it is found.
        public var otherNames: [String]
        /// Postcode and town that it lies in; `nil` if unknown.
        public var context: String?

        /// A place.
        public init(
            name: String, kind: String, rank: Int, prominence: Double = 0, coordinate: Coordinate,
            otherNames: [String] = [], context: String? = nil
        ) {
            self.name = name
            self.kind = kind
            self.rank = rank
            self.prominence = prominence
            self.coordinate = coordinate
            self.otherNames = otherNames
            self.context = context
        }
    }

    let vocabulary: PlaceVocabulary
    /// The coordinates and kinds of the places.
    let locations: PlaceLocations
    /// Of each place, an index into the contexts; the first is none.
    let placeContexts: [UInt32]
    /// The words of each context, the first being none.
    let contexts: WordLists
    /// The words of each name; names are in the order of their places.
    let names: WordLists
    /// The place of each name; the highest bit is set for a further name of it.
    let nameDocuments: [UInt32]
    /// The names that contain each word, in order.
    let postings: WordLists
    /// Whether a word occurs in a context.
    let isContextWord: [Bool]

    /// The bit of a further name.
    static let otherName: UInt32 = 1 << 31

    /// Concatenated lists of numbers.
    struct WordLists: Sendable {
        /// Where each begins; one more than there are lists.
        var starts: [UInt32] = [0]
        var items: [UInt32] = []

        var count: Int { starts.count - 1 }
        func range(_ list: Int) -> Range<Int> { Int(starts[list])..<Int(starts[list + 1]) }

        mutating func append(_ list: some Sequence<UInt32>) {
            items.append(contentsOf: list)
            starts.append(UInt32(items.count))
        }
    }

    /// The number of places.
    public var count: Int { locations.count }

    /// The kind of addresses, which are found only if a number was typed.
    public static let addressKind = "address"

    init(
        vocabulary: PlaceVocabulary, locations: PlaceLocations, placeContexts: [UInt32],
        contexts: WordLists, names: WordLists, nameDocuments: [UInt32]
    ) {
        self.vocabulary = vocabulary
        self.locations = locations
        self.placeContexts = placeContexts
        self.contexts = contexts
        self.names = names
        self.nameDocuments = nameDocuments
        postings = Self.postings(of: names, words: vocabulary.count)
        var isContextWord = [Bool](repeating: false, count: vocabulary.count)
        for word in contexts.items { isContextWord[Int(word)] = true }
        self.isContextWord = isContextWord
    }

    /// The names of each word, by counting.
    private static func postings(of names: WordLists, words: Int) -> WordLists {
        var starts = [UInt32](repeating: 0, count: words + 1)
        for word in names.items { starts[Int(word) + 1] += 1 }
        for word in 0..<words { starts[word + 1] += starts[word] }
        var next = starts
        var items = [UInt32](repeating: 0, count: names.items.count)
        for name in 0..<names.count {
            for index in names.range(name) {
                let word = Int(names.items[index])
                items[Int(next[word])] = UInt32(name)
                next[word] += 1
            }
        }
        return WordLists(starts: starts, items: items)
    }
}

extension PlaceIndex {
    /// An index of places, and their order in it: the place numbered n is `entries[order[n]]`. Those without a word in
    /// their names, and those out of range, are dropped.
    public static func build(
        _ entries: [Entry], check: () throws -> Void = {}
    ) rethrows -> (index: PlaceIndex, order: [Int]) {
        var forms = NameForms()
        for (number, entry) in entries.enumerated() {
            if number % Self.step == 0 { try check() }
            forms.append(entry.coordinate.isValid ? PlaceWords.forms(of: entry.name) : [])
        }
        let order = try Self.order(of: entries, forms, check)
        var builder = Builder()
        for (number, place) in order.enumerated() {
            if number % Self.step == 0 { try check() }
            builder.add(entries[place], forms: forms.all(of: place))
        }
        return (try builder.index(check), order)
    }

    private static func order(
        of entries: [Entry], _ forms: NameForms, _ check: () throws -> Void
    ) rethrows -> [Int] {
        let weights = entries.map { Double($0.rank) - $0.prominence }
        var looks = 0
        return try entries.indices.filter { !forms.isEmpty($0) }.sorted { a, b in
            looks += 1
            if looks % Self.comparisons == 0 { try check() }
            if weights[a] != weights[b] { return weights[a] < weights[b] }
            if let precedes = forms.precedes(a, b) { return precedes }
            let (left, right) = (entries[a], entries[b])
            return (left.kind, left.coordinate.latitude, left.coordinate.longitude, a)
                < (right.kind, right.coordinate.latitude, right.coordinate.longitude, b)
        }
    }

    /// Comparisons between two checks for cancellation.
    private static let comparisons = 20_000
    /// Places between two checks for cancellation.
    private static let step = 100

    /// Collects places in the order of their numbers.
    private struct Builder {
        private var locations = PlaceLocations()
        private var placeContexts: [UInt32] = []
        private var words = TextTable()
        private var kinds: [String: UInt16] = [:]
        private var contexts: [String: UInt32] = [:]
        private var contextWords = WordLists(starts: [0, 0], items: [])
        private var names = WordLists()
        private var nameDocuments: [UInt32] = []

        mutating func add(_ entry: Entry, forms: [ArraySlice<UInt8>]) {
            let document = UInt32(locations.count)
            locations.ranks.append(UInt8(clamping: entry.rank))
            locations.prominences.append(UInt8(clamping: Int((entry.prominence * 255).rounded())))
            locations.latitudes.append(Int32((entry.coordinate.latitude * 1e7).rounded()))
            locations.longitudes.append(Int32((entry.coordinate.longitude * 1e7).rounded()))
            locations.kinds.append(kind(entry.kind))
            placeContexts.append(context(entry.context))
            for form in forms { add(form, of: document) }
            guard !entry.otherNames.isEmpty else { return }
            var known = Set(forms)
            for name in entry.otherNames {
                for form in PlaceWords.forms(of: name) where known.insert(form[...]).inserted {
                    add(form[...], of: document | PlaceIndex.otherName)
                }
            }
        }

        private mutating func add(_ form: ArraySlice<UInt8>, of document: UInt32) {
            names.append(Self.numbers(of: form, &words))
            nameDocuments.append(document)
        }

        private static func numbers(of form: ArraySlice<UInt8>, _ words: inout TextTable) -> [UInt32] {
            form.split(separator: PlaceWords.space).map { word in
                word.withUnsafeBytes { UInt32(words.index(of: $0)) }
            }
        }

        private mutating func kind(_ name: String) -> UInt16 {
            if let known = kinds[name] { return known }
            // No map has more kinds; further ones are not distinguished.
            let number = UInt16(clamping: locations.kindNames.count)
            guard number < .max else { return number - 1 }
            kinds[name] = number
            locations.kindNames.append(name)
            return number
        }

        private mutating func context(_ text: String?) -> UInt32 {
            guard let text, !text.isEmpty else { return 0 }
            if let known = contexts[text] { return known }
            let number = UInt32(contextWords.count)
            contextWords.append(PlaceWords.forms(of: text).flatMap { Self.numbers(of: $0[...], &words) })
            contexts[text] = number
            return number
        }

        /// The index, with the words numbered in their order.
        func index(_ check: () throws -> Void) rethrows -> PlaceIndex {
            var looks = 0
            let sorted = try (0..<Int32(words.count)).sorted { a, b in
                looks += 1
                if looks % PlaceIndex.comparisons == 0 { try check() }
                return words.withText(a) { a in
                    words.withText(b) { NameForms.compare(a, $0) < 0 }
                }
            }
            var numbers = [UInt32](repeating: 0, count: sorted.count)
            var (bytes, starts): ([UInt8], [UInt32]) = ([], [0])
            for (number, word) in sorted.enumerated() {
                numbers[Int(word)] = UInt32(number)
                words.withText(word) { bytes.append(contentsOf: $0) }
                starts.append(UInt32(bytes.count))
            }
            try check()
            func renumbered(_ lists: WordLists) -> WordLists {
                WordLists(starts: lists.starts, items: lists.items.map { numbers[Int($0)] })
            }
            let (contexts, names) = (renumbered(contextWords), renumbered(self.names))
            try check()
            return PlaceIndex(
                vocabulary: PlaceVocabulary(bytes: bytes, starts: starts), locations: locations,
                placeContexts: placeContexts, contexts: contexts, names: names,
                nameDocuments: nameDocuments)
        }
    }
}

/// The folded forms of the names of many places, without an allocation for each.
private struct NameForms {
    private var bytes: [UInt8] = []
    /// The start of each form; one more than there are forms.
    private var starts: [UInt32] = [0]
    /// The first form of each place; one more than there are places.
    private var firsts: [UInt32] = [0]

    /// Adds a place.
    mutating func append(_ forms: [[UInt8]]) {
        for form in forms {
            bytes += form
            starts.append(UInt32(bytes.count))
        }
        firsts.append(UInt32(starts.count - 1))
    }

    func isEmpty(_ place: Int) -> Bool { firsts[place] == firsts[place + 1] }

    func all(of place: Int) -> [ArraySlice<UInt8>] {
        (Int(firsts[place])..<Int(firsts[place + 1])).map { bytes[Int(starts[$0])..<Int(starts[$0 + 1])] }
    }

    /// Whether the first form of a place precedes that of another; `nil` if they are equal.
    func precedes(_ a: Int, _ b: Int) -> Bool? {
        let order = bytes.withUnsafeBufferPointer { bytes in
            func form(_ place: Int) -> UnsafeBufferPointer<UInt8> {
                let first = Int(firsts[place])
                return UnsafeBufferPointer(rebasing: bytes[Int(starts[first])..<Int(starts[first + 1])])
            }
            return Self.compare(form(a), form(b))
        }
        return order == 0 ? nil : order < 0
    }

    /// Less than 0 if the first precedes the second, 0 if they are equal.
    static func compare(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
        for (left, right) in zip(a, b) where left != right { return left < right ? -1 : 1 }
        return a.count - b.count
    }
}
