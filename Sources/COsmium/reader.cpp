#include "COsmium.h"

#include "headers.h"

#include <malloc.h>

extern "C" void cosm_keep_large_apart(int is_on) { mallopt(M_MMAP_THRESHOLD, is_on ? 1 << 20 : 32 << 20); }

extern "C" void cosm_give_back(void) { malloc_trim(0); }

#if COSMIUM_CAN_BUILD

#include <osmium/io/any_input.hpp>
#include <osmium/osm/relation.hpp>
#include <osmium/osm/way.hpp>
#include <osmium/visitor.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

struct Stopped {};

/// The indexes of keys in a list, by hash: every tag of a file is looked up.
class KeyIndexes {
    const char *const *keys;
    size_t mask;
    std::vector<int32_t> slots;

    /// FNV-1a.
    static size_t hash(const char *text) {
        uint32_t sum = 2166136261u;
        for (; *text; ++text) sum = (sum ^ static_cast<unsigned char>(*text)) * 16777619u;
        return sum ^ (sum >> 15);
    }

public:
    KeyIndexes(const char *const *keys, size_t count) : keys(keys) {
        size_t size = 16;
        while (size < 4 * count) size *= 2;
        mask = size - 1;
        slots.assign(size, -1);
        for (size_t key = 0; key < count; ++key) {
            size_t slot = hash(keys[key]) & mask;
            while (slots[slot] >= 0) slot = (slot + 1) & mask;
            slots[slot] = static_cast<int32_t>(key);
        }
    }

    /// The index of a key; -1 if it is not in the list.
    int32_t of(const char *key) const {
        for (size_t slot = hash(key) & mask; slots[slot] >= 0; slot = (slot + 1) & mask) {
            if (!std::strcmp(keys[slots[slot]], key)) return slots[slot];
        }
        return -1;
    }
};

/// A growing array. Large blocks are moved without copying, and use memory only as far as they are written.
template <typename T>
class Growing {
    T *start = nullptr;
    size_t count = 0, room = 0;

public:
    Growing() = default;
    Growing(const Growing &) = delete;
    Growing &operator=(const Growing &) = delete;
    ~Growing() { std::free(start); }

    void push_back(T value) {
        if (count == room) {
            const size_t more = room < 64 ? 64 : room * 2;
            auto *moved = static_cast<T *>(std::realloc(start, more * sizeof(T)));
            if (!moved) throw std::bad_alloc{};
            start = moved;
            room = more;
        }
        start[count++] = value;
    }

    size_t size() const { return count; }
    const T *data() const { return start; }
    void sort() { std::sort(start, start + count); }
};

/// A hash of bytes, eight at a time.
size_t hash_of(const char *bytes, size_t size) {
    uint64_t sum = size * 0x9E3779B97F4A7C15u;
    uint64_t word = 0;
    for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
        std::memcpy(&word, bytes, sizeof word);
        sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 32;
    }
    word = 0;
    std::memcpy(&word, bytes, size);
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
    return sum ^ (sum >> 29);
}

/// A hash table of the numbers of values that are stored elsewhere.
class NumberTable {
    std::vector<int32_t> slots = std::vector<int32_t>(1024, -1);
    size_t count = 0;

public:
    /// The number for which `is_same` holds, among those with the same hash; -1 for none.
    template <typename Same>
    int32_t find(size_t hash, Same &&is_same) const {
        const size_t mask = slots.size() - 1;
        for (size_t slot = hash & mask; slots[slot] >= 0; slot = (slot + 1) & mask) {
            if (is_same(slots[slot])) return slots[slot];
        }
        return -1;
    }

    /// Adds a new number; `hash_at` returns the hash of any number.
    template <typename HashAt>
    void add(int32_t number, HashAt &&hash_at) {
        if (2 * ++count > slots.size()) {
            const std::vector<int32_t> old(4 * slots.size(), -1);
            const auto all = std::exchange(slots, old);
            for (const auto known : all) {
                if (known >= 0) put(known, hash_at(known));
            }
        }
        put(number, hash_at(number));
    }

private:
    void put(int32_t number, size_t hash) {
        const size_t mask = slots.size() - 1;
        size_t slot = hash & mask;
        while (slots[slot] >= 0) slot = (slot + 1) & mask;
        slots[slot] = number;
    }
};

/// Interned texts.
struct TextStore {
    std::vector<int64_t> first_byte{0};
    std::string bytes;
    NumberTable numbers;

    int32_t text(const char *value) { return text(value, std::strlen(value)); }

    int32_t text(const char *value, size_t size) {
        const auto known = numbers.find(hash_of(value, size), [&](int32_t text) {
            return length(text) == size && std::memcmp(begin_of(text), value, size) == 0;
        });
        if (known >= 0) return known;
        const auto index = static_cast<int32_t>(first_byte.size() - 1);
        bytes.append(value, size);
        first_byte.push_back(static_cast<int64_t>(bytes.size()));
        numbers.add(index, [this](int32_t text) { return hash_of(begin_of(text), length(text)); });
        return index;
    }

private:
    const char *begin_of(int32_t text) const { return bytes.data() + first_byte[static_cast<size_t>(text)]; }
    size_t length(int32_t text) const {
        const auto index = static_cast<size_t>(text);
        return static_cast<size_t>(first_byte[index + 1] - first_byte[index]);
    }
};

struct WayStore : TextStore {
    Growing<int64_t> ids;
    Growing<int64_t> first_ref;
    Growing<int64_t> refs;
    Growing<int32_t> positions;
    bool has_positions = false;
    Growing<int32_t> classes;
    Growing<int32_t> own;
    Growing<int32_t> values;

    KeyIndexes keys;
    size_t key_count;
    /// The number of keys at the end that are stored for each object.
    size_t own_count;
    NumberTable known;
    std::vector<int32_t> row;

    WayStore(const char *const *keys, size_t count, size_t own_count)
        : keys(keys, count), key_count(count), own_count(own_count) {
        first_ref.push_back(0);
    }

    void tag(const osmium::OSMObject &object) {
        ids.push_back(object.id());
        row.assign(key_count, -1);
        for (const auto &tag : object.tags()) {
            const int32_t key = keys.of(tag.key());
            // The first value of a repeated key is used.
            if (key < 0 || row[static_cast<size_t>(key)] >= 0) continue;
            row[static_cast<size_t>(key)] = text(tag.value());
        }
        const size_t shared = key_count - own_count;
        const auto bytes = shared * sizeof(int32_t);
        const auto row_of = [&](int32_t number) {
            return reinterpret_cast<const char *>(values.data() + static_cast<size_t>(number) * shared);
        };
        const auto *wanted = reinterpret_cast<const char *>(row.data());
        auto number = known.find(
            hash_of(wanted, bytes), [&](int32_t other) { return std::memcmp(row_of(other), wanted, bytes) == 0; });
        if (number < 0) {
            number = static_cast<int32_t>(class_count++);
            for (size_t key = 0; key < shared; ++key) values.push_back(row[key]);
            known.add(number, [&](int32_t other) { return hash_of(row_of(other), bytes); });
        }
        classes.push_back(number);
        for (size_t key = shared; key < key_count; ++key) own.push_back(row[key]);
    }

    size_t class_count = 0;

    /// An obstacle node: only its tags.
    void add(const osmium::Node &node) {
        tag(node);
        first_ref.push_back(static_cast<int64_t>(refs.size()));
    }

    /// A relation: its tags, and its ways and relations; relations are encoded as -1 minus their id.
    void add(const osmium::Relation &relation) {
        tag(relation);
        for (const auto &member : relation.members()) {
            if (member.type() == osmium::item_type::way) refs.push_back(member.ref());
            if (member.type() == osmium::item_type::relation && member.ref() >= 0) refs.push_back(-member.ref() - 1);
        }
        first_ref.push_back(static_cast<int64_t>(refs.size()));
    }

    /// The same for a route: members beside its main way follow after `cosm_side_members`.
    void add_route(const osmium::Relation &relation) {
        tag(relation);
        for (const bool is_side : {false, true}) {
            if (is_side) refs.push_back(cosm_side_members);
            for (const auto &member : relation.members()) {
                if (is_side_role(member.role()) != is_side) continue;
                if (member.type() == osmium::item_type::way) refs.push_back(member.ref());
                if (member.type() == osmium::item_type::relation && member.ref() >= 0) refs.push_back(-member.ref() - 1);
            }
        }
        first_ref.push_back(static_cast<int64_t>(refs.size()));
    }

    /// A turn restriction: its tags, and its members, each after what it is.
    void add_restriction(const osmium::Relation &relation) {
        tag(relation);
        for (const auto &member : relation.members()) {
            refs.push_back(kind_of(member));
            refs.push_back(member.ref());
        }
        first_ref.push_back(static_cast<int64_t>(refs.size()));
    }

    static int64_t kind_of(const osmium::RelationMember &member) {
        const std::string_view role{member.role()};
        const bool is_way = member.type() == osmium::item_type::way;
        if (role == "from" && is_way) return cosm_from_way;
        if (role == "to" && is_way) return cosm_to_way;
        if (role == "via" && is_way) return cosm_via_way;
        return role == "via" && member.type() == osmium::item_type::node ? cosm_via_node : cosm_other_member;
    }

    /// Roles of members of a route that are not its main way (OpenStreetMap wiki, `Roles for recreational route relations`).
    static bool is_side_role(const char *role) {
        static constexpr const char *sides[] = {"alternative", "alternate", "excursion", "approach", "connection", "link"};
        return std::any_of(std::begin(sides), std::end(sides), [role](const char *side) { return std::strcmp(role, side) == 0; });
    }

    void export_to(cosm_ways &ways) {
        ways.count = ids.size();
        ways.ids = ids.data();
        ways.first_ref = first_ref.data();
        ways.refs = refs.data();
        ways.ref_positions = has_positions ? positions.data() : nullptr;
        ways.class_count = class_count;
        ways.classes = classes.data();
        ways.values = values.data();
        ways.own_values = own.data();
        ways.text_count = first_byte.size() - 1;
        ways.first_byte = first_byte.data();
        ways.bytes = bytes.data();
        ways.owner = this;
    }

    void add(const osmium::Way &way) {
        tag(way);
        for (const auto &ref : way.nodes()) {
            const bool is_known = ref.location().valid();
            if (is_known && !has_positions) {
                // Few files have positions in ways, so they are stored only from the first one on.
                has_positions = true;
                for (size_t index = 0; index < 2 * refs.size(); ++index) positions.push_back(COSM_UNDEFINED);
            }
            refs.push_back(ref.ref());
            if (!has_positions) continue;
            positions.push_back(is_known ? ref.location().y() : COSM_UNDEFINED);
            positions.push_back(is_known ? ref.location().x() : COSM_UNDEFINED);
        }
        first_ref.push_back(static_cast<int64_t>(refs.size()));
    }
};

/// Whether a value of `route`, or one of a list such as `hiking;mtb`, is a trail for walkers, or a ferry.
bool is_walked(std::string_view values) {
    static constexpr std::string_view kinds[] = {"hiking", "foot", "walking", "ferry"};
    const auto same = [](char one, char other) { return (one >= 'A' && one <= 'Z' ? one + 32 : one) == other; };
    while (true) {
        const auto end = values.find(';');
        auto value = values.substr(0, end);
        while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
        while (!value.empty() && value.back() == ' ') value.remove_suffix(1);
        for (const auto kind : kinds) {
            if (std::equal(value.begin(), value.end(), kind.begin(), kind.end(), same)) return true;
        }
        if (end == values.npos) return false;
        values.remove_prefix(end + 1);
    }
}

/// Positions by sorted ids: files are usually sorted, so the next id is searched near the last one.
struct NodeStore {
    const int64_t *ids;
    size_t count;
    int32_t *latitudes;
    int32_t *longitudes;
    size_t cursor = 0;

    /// Stores the position of a requested node; returns whether it was requested.
    bool add(int64_t id, osmium::Location location) {
        if (cursor >= count || ids[cursor] > id) {
            if (cursor > 0 && ids[cursor - 1] < id) return false;
            cursor = 0;
        }
        size_t step = 1;
        size_t low = cursor;
        while (low + step < count && ids[low + step] <= id) {
            low += step;
            step *= 2;
        }
        const size_t high = std::min(count, low + step);
        cursor = static_cast<size_t>(std::lower_bound(ids + low, ids + high, id) - ids);
        if (cursor < count && ids[cursor] == id && location.valid()) {
            latitudes[cursor] = location.y();
            longitudes[cursor] = location.x();
            return true;
        }
        return false;
    }
};

}  // namespace

#include "blocks.hpp"

/// A file with the known kinds of its blocks.
struct cosm_file {
    std::string path;
    BlockKinds kinds;
    BlockCache kept;
};

namespace {

cosm_result failure(cosm_status status, const char *message, uint64_t offset) {
    cosm_result result;
    std::memset(&result, 0, sizeof result);
    result.status = status;
    result.offset = offset;
    std::strncpy(result.message, message, sizeof result.message - 1);
    return result;
}

/// The library's name of a file's format by its first bytes; empty if they are of none, so that the name decides.
const char *format_of(const std::string &path) {
    std::array<char, 512> head{};
    std::ifstream file{path, std::ios::binary};
    file.read(head.data(), head.size());
    const std::string_view bytes{head.data(), static_cast<size_t>(file.gcount())};
    if (bytes.substr(0, 2) == "\x1F\x8B") return "osm.gz";
    if (bytes.substr(0, 3) == "BZh") return "osm.bz2";
    if (bytes.substr(0, 32).find("OSMHeader") != std::string_view::npos) return "pbf";
    const size_t start = bytes.find_first_not_of("\xEF\xBB\xBF \t\r\n");
    return start != std::string_view::npos && bytes[start] == '<' ? "osm" : "";
}

/// Reads a file and catches every exception; `take` receives each object, `plain` the id and position of nodes without tags.
template <typename Take, typename Plain>
cosm_result read(
    cosm_file *file, osmium::osm_entity_bits::type bits, cosm_progress progress, void *context, Take &&take,
    Plain &&plain) {
    if (!file) return failure(cosm_memory, "out of memory", 0);
    uint64_t offset = 0;
    const auto look = [&](uint64_t done, uint64_t total) {
        if (progress && progress(context, done, total) != 0) throw Stopped{};
    };
    try {
        const osmium::io::File info{file->path, format_of(file->path)};
        if (info.format() == osmium::io::file_format::pbf && info.compression() == osmium::io::file_compression::none) {
            read_blocks(file->path.c_str(), file->kinds, file->kept, bits, offset, look, take, plain);
            return failure(cosm_ok, "", offset);
        }
        osmium::io::Reader reader{info, bits, osmium::io::read_meta::no};
        try {
            while (osmium::memory::Buffer buffer = reader.read()) {
                for (auto &item : buffer) give_item(item, take, plain);
                offset = reader.offset();
                look(offset, reader.file_size());
            }
            reader.close();
        } catch (...) {
            offset = std::max<uint64_t>(offset, reader.offset());
            throw;
        }
        return failure(cosm_ok, "", offset);
    } catch (const Stopped &) {
        return failure(cosm_stopped, "", offset);
    } catch (const osmium::unsupported_file_format_error &error) {
        return failure(cosm_kind, error.what(), offset);
    } catch (const osmium::pbf_error &error) {
        const bool feature = std::strstr(error.what(), "required feature") != nullptr;
        return failure(feature ? cosm_feature : cosm_damaged, error.what(), offset);
    } catch (const osmium::io_error &error) {
        return failure(cosm_damaged, error.what(), offset);
    } catch (const std::system_error &error) {
        return failure(cosm_system, error.what(), offset);
    } catch (const std::bad_alloc &) {
        return failure(cosm_memory, "out of memory", offset);
    } catch (const std::exception &error) {
        return failure(cosm_damaged, error.what(), offset);
    } catch (...) {
        return failure(cosm_damaged, "unknown failure", offset);
    }
}

}  // namespace

extern "C" int cosm_bounds(cosm_file *file, double *edges) {
    if (!file) return 0;
    try {
        const osmium::io::File info{file->path, format_of(file->path)};
        osmium::io::Reader reader{info, osmium::osm_entity_bits::nothing, osmium::io::read_meta::no};
        const auto boxes = reader.header().boxes();
        reader.close();
        // Several boxes do not cover what lies between them.
        if (boxes.size() != 1 || !boxes[0].bottom_left().valid() || !boxes[0].top_right().valid()) return 0;
        edges[0] = boxes[0].bottom_left().lat();
        edges[1] = boxes[0].bottom_left().lon();
        edges[2] = boxes[0].top_right().lat();
        edges[3] = boxes[0].top_right().lon();
        return 1;
    } catch (...) {
        // What is wrong with the file is said by the passes over it.
        return 0;
    }
}

extern "C" cosm_file *cosm_open(const char *path) {
    try {
        return new cosm_file{path, {}, {}};
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

extern "C" void cosm_close(cosm_file *file) { delete file; }

extern "C" void cosm_keep_blocks(cosm_file *file, size_t bytes) {
    if (file) file->kept.set_room(bytes);
}

extern "C" cosm_result cosm_read_ways(
    cosm_file *file, const char *const *keys, size_t key_count, size_t own_count, const char *const *route_keys,
    size_t route_key_count, const char *const *turn_keys, size_t turn_key_count, cosm_progress progress,
    void *context, cosm_ways *ways, cosm_ways *routes, cosm_ways *areas, cosm_ways *restrictions) {
    std::memset(ways, 0, sizeof *ways);
    std::memset(routes, 0, sizeof *routes);
    std::memset(areas, 0, sizeof *areas);
    std::memset(restrictions, 0, sizeof *restrictions);
    auto *store = new (std::nothrow) WayStore{keys, key_count, own_count};
    auto *trails = new (std::nothrow) WayStore{route_keys, route_key_count, 0};
    auto *squares = new (std::nothrow) WayStore{keys, key_count, own_count};
    auto *turns = new (std::nothrow) WayStore{turn_keys, turn_key_count, 0};
    if (store) store->export_to(*ways);
    if (trails) trails->export_to(*routes);
    if (squares) squares->export_to(*areas);
    if (turns) turns->export_to(*restrictions);
    if (!store || !trails || !squares || !turns) return failure(cosm_memory, "out of memory", 0);
    const auto bits = osmium::osm_entity_bits::way | osmium::osm_entity_bits::relation;
    const auto is_way = [&](const osmium::TagList &tags) {
        return tags.has_key(keys[0]) || tags.has_tag("route", "ferry") || tags.has_tag("railway", "platform") ||
            tags.has_tag("public_transport", "platform") || tags.has_tag("man_made", "pier");
    };
    const auto take = [&](const auto &item) {
        if (item.type() == osmium::item_type::way) {
            const auto &way = static_cast<const osmium::Way &>(item);
            if (is_way(way.tags())) store->add(way);
        } else if (item.type() == osmium::item_type::relation) {
            const auto &relation = static_cast<const osmium::Relation &>(item);
            const char *route = relation.tags().get_value_by_key("route");
            if (route && is_walked(route)) trails->add_route(relation);
            if (relation.tags().has_tag("type", "restriction")) turns->add_restriction(relation);
            if (relation.tags().has_tag("type", "multipolygon") && is_way(relation.tags())) squares->add(relation);
        }
    };
    const auto result = read(file, bits, progress, context, take, [](int64_t, osmium::Location) {});
    store->export_to(*ways);
    trails->export_to(*routes);
    squares->export_to(*areas);
    turns->export_to(*restrictions);
    return result;
}

extern "C" cosm_result cosm_read_members(
    cosm_file *file, const int64_t *ids, size_t count, cosm_progress progress, void *context, cosm_ways *members) {
    std::memset(members, 0, sizeof *members);
    static const char *const keys[] = {"highway"};
    auto *store = new (std::nothrow) WayStore{keys, 1, 0};
    if (!store) return failure(cosm_memory, "out of memory", 0);
    const auto take = [&](const auto &item) {
        if (item.type() != osmium::item_type::way) return;
        const auto &way = static_cast<const osmium::Way &>(item);
        if (std::binary_search(ids, ids + count, way.id())) store->add(way);
    };
    const auto result =
        read(file, osmium::osm_entity_bits::way, progress, context, take, [](int64_t, osmium::Location) {});
    store->export_to(*members);
    return result;
}

extern "C" void cosm_free_ways(cosm_ways *ways) {
    delete static_cast<WayStore *>(ways->owner);
    std::memset(ways, 0, sizeof *ways);
}

extern "C" cosm_result cosm_read_nodes(
    cosm_file *file, const int64_t *ids, size_t count, const cosm_mark_keys *obstacle_keys,
    cosm_progress progress, void *context, int32_t *latitudes, int32_t *longitudes, uint64_t *seen,
    cosm_ways *obstacles) {
    std::memset(obstacles, 0, sizeof *obstacles);
    auto *stopping = new (std::nothrow) WayStore{obstacle_keys->keys, obstacle_keys->key_count, 0};
    if (!stopping) return failure(cosm_memory, "out of memory", 0);
    NodeStore store{ids, count, latitudes, longitudes};
    uint64_t total = 0;
    const auto plain = [&](int64_t id, osmium::Location location) {
        ++total;
        store.add(id, location);
    };
    const auto take = [&](const auto &item) {
        if (item.type() != osmium::item_type::node) return;
        ++total;
        const auto &node = static_cast<const osmium::Node &>(item);
        if (!store.add(node.id(), node.location())) return;
        const auto marks = obstacle_keys->keys;
        if (std::any_of(marks, marks + obstacle_keys->mark_count, [&](const char *key) {
                return node.tags().has_key(key);
            })) {
            stopping->add(node);
        }
    };
    const auto result = read(file, osmium::osm_entity_bits::node, progress, context, take, plain);
    *seen = total;
    stopping->export_to(*obstacles);
    return result;
}

#include "map.hpp"
#include "places.hpp"

#else

extern "C" cosm_file *cosm_open(const char *) { return nullptr; }

extern "C" void cosm_close(cosm_file *) {}

extern "C" int cosm_bounds(cosm_file *, double *) { return 0; }

extern "C" void cosm_keep_blocks(cosm_file *, size_t) {}

extern "C" cosm_result cosm_read_places(
    cosm_file *, const char *const *, size_t, cosm_progress, void *, cosm_places *) {
    return {cosm_kind, "built without libosmium", 0};
}

extern "C" void cosm_free_places(cosm_places *) {}

extern "C" cosm_result cosm_read_map(
    cosm_file *, const cosm_map_keys *, cosm_progress, void *, cosm_take_feature, void *) {
    return {cosm_kind, "built without libosmium", 0};
}

extern "C" cosm_result cosm_read_ways(
    cosm_file *, const char *const *, size_t, size_t, const char *const *, size_t, const char *const *, size_t,
    cosm_progress, void *, cosm_ways *, cosm_ways *, cosm_ways *, cosm_ways *) {
    return {cosm_kind, "built without libosmium", 0};
}

extern "C" cosm_result cosm_read_members(
    cosm_file *, const int64_t *, size_t, cosm_progress, void *, cosm_ways *) {
    return {cosm_kind, "built without libosmium", 0};
}

extern "C" void cosm_free_ways(cosm_ways *) {}

extern "C" cosm_result cosm_read_nodes(
    cosm_file *, const int64_t *, size_t, const cosm_mark_keys *, cosm_progress, void *, int32_t *, int32_t *,
    uint64_t *, cosm_ways *) {
    return {cosm_kind, "built without libosmium", 0};
}

#endif
