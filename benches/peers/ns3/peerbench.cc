// The workloads in ns-3 (3.37 or later).
//
// usage: peerbench --w=1 --n=CELLS | --w=2 --n=CELLS --F=FLOWS
//        | --w=3 --n=PACKETS --H=64|1024 --perm=shift|rand       [--mode=raw|ip] [--sched=TYPE]
//
// 1 is the tandem, 2 many flows, 3 the fabric (see ../README.md). Modes:
//   raw  PointToPointNetDevice and a minimal static forwarder, no IP stack: a lower bound
//   ip   UDP over IPv4 with static routes and no queue disc: what users build
// Sizes are those on the wire (2 bytes of PPP included). Queues are FIFO and without limit. Prints
// one line of JSON; Simulator::Run alone is timed.
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <vector>

using namespace ns3;

static uint64_t g_received = 0;
static int64_t g_lastPs = 0;

static void Received()
{
    g_received++;
    g_lastPs = Simulator::Now().GetPicoSeconds();
}

// ---------- without IP ---------------------------------------------------------------------
class TargetHeader : public Header
{
  public:
    uint32_t target{0};

    static TypeId GetTypeId()
    {
        static TypeId type =
            TypeId("TargetHeader").SetParent<Header>().AddConstructor<TargetHeader>();
        return type;
    }
    TypeId GetInstanceTypeId() const override { return GetTypeId(); }
    void Print(std::ostream& os) const override { os << target; }
    uint32_t GetSerializedSize() const override { return 4; }
    void Serialize(Buffer::Iterator i) const override { i.WriteHtonU32(target); }
    uint32_t Deserialize(Buffer::Iterator i) override
    {
        target = i.ReadNtohU32();
        return 4;
    }
};

struct RawNode
{
    std::vector<Ptr<PointToPointNetDevice>> out; // by port
    std::vector<int32_t> route;                  // port by target
    int port = -1;                               // of nodes without routes; -1: the sink
    bool addressed = false;

    bool Receive(Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t, const Address&)
    {
        int to = port;
        if (addressed) {
            TargetHeader header;
            packet->PeekHeader(header);
            to = route[header.target];
        }
        if (to < 0) {
            Received();
        } else {
            out[to]->Send(packet->Copy(), out[to]->GetBroadcast(), 0x0800);
        }
        return true;
    }
};

// Sends packets `gap` apart, with silence after every `burst`.
struct Source
{
    Time gap;
    uint64_t left = 0;
    uint64_t burst = 0; // 0: none
    uint64_t inBurst = 0;
    Ptr<ExponentialRandomVariable> off;

    virtual ~Source() = default;
    virtual void Send() = 0;

    void Fire()
    {
        if (!left) return;
        left--;
        Send();
        if (!left) return;
        Time next = gap;
        if (burst && ++inBurst == burst) {
            inBurst = 0;
            next += Seconds(off->GetValue());
        }
        Simulator::Schedule(next, &Source::Fire, this);
    }
};

struct RawSource : Source
{
    Ptr<PointToPointNetDevice> device;
    uint32_t size = 0, target = 0;
    bool tagged = false;

    void Send() override
    {
        Ptr<Packet> packet = Create<Packet>(size - 2 - (tagged ? 4 : 0));
        if (tagged) {
            TargetHeader header;
            header.target = target;
            packet->AddHeader(header);
        }
        device->Send(packet, device->GetBroadcast(), 0x0800);
    }
};

// ---------- with IP ------------------------------------------------------------------------
struct IpSource : Source
{
    Ptr<Socket> socket;
    uint32_t size = 0;

    void Send() override { socket->Send(Create<Packet>(size - 30)); }
};

static void IpReceive(Ptr<Socket> socket)
{
    while (socket->Recv()) Received();
}

// Gives both ends addresses of their own /30; tells them and the indices of the interfaces.
static std::pair<Ipv4Address, Ipv4Address>
Addresses(Ptr<NetDevice> a, Ptr<NetDevice> b, uint32_t* indexA = nullptr, uint32_t* indexB = nullptr)
{
    static uint32_t networks = 0;
    uint32_t base = (10u << 24) + 4 * (networks++);
    Ptr<NetDevice> devices[2] = {a, b};
    uint32_t* indices[2] = {indexA, indexB};
    Ipv4Address result[2];
    for (int i = 0; i < 2; i++) {
        auto ip = devices[i]->GetNode()->GetObject<Ipv4>();
        uint32_t index = ip->AddInterface(devices[i]);
        result[i] = Ipv4Address(base + 1 + i);
        ip->AddAddress(index, Ipv4InterfaceAddress(result[i], Ipv4Mask("255.255.255.252")));
        ip->SetUp(index);
        if (indices[i]) *indices[i] = index;
    }
    return {result[0], result[1]};
}

static Ptr<Ipv4StaticRouting> Routes(Ptr<Node> node)
{
    Ipv4StaticRoutingHelper helper;
    return helper.GetStaticRouting(node->GetObject<Ipv4>());
}

// ---------- both ---------------------------------------------------------------------------
using Device = Ptr<PointToPointNetDevice>;

static std::pair<Device, Device> Link(Ptr<Node> a, Ptr<Node> b, DataRate rate, Time delay)
{
    auto channel = CreateObject<PointToPointChannel>();
    channel->SetAttribute("Delay", TimeValue(delay));
    Device devices[2];
    Ptr<Node> nodes[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        devices[i] = CreateObject<PointToPointNetDevice>();
        devices[i]->SetAttribute("DataRate", DataRateValue(rate));
        devices[i]->SetAddress(Mac48Address::Allocate());
        devices[i]->SetMtu(9216);
        auto queue = CreateObject<DropTailQueue<Packet>>();
        queue->SetAttribute("MaxSize", QueueSizeValue(QueueSize("2000000000p")));
        devices[i]->SetQueue(queue);
        nodes[i]->AddDevice(devices[i]);
        devices[i]->Attach(channel);
    }
    return {devices[0], devices[1]};
}

static uint64_t SplitMix64(uint64_t& state)
{
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

struct Options
{
    int w = 1, H = 64;
    uint64_t n = 1000000, F = 1000;
    std::string mode = "raw", perm = "shift", sched = "";
};

class Bench
{
  public:
    Bench(const Options& options)
        : o(options), ip(options.mode == "ip"),
          udp(TypeId::LookupByName("ns3::UdpSocketFactory"))
    {
        stack.SetRoutingHelper(routing);
        stack.SetIpv6StackInstall(false);
    }

    // Each builds its network and tells the hops of all packets.
    uint64_t Tandem();
    uint64_t ManyFlows();
    uint64_t Fabric();

  private:
    void Create(uint32_t count)
    {
        nodes.Create(count);
        if (ip) stack.Install(nodes);
        for (uint32_t i = 0; i < count; i++) raw.push_back(new RawNode);
    }
    void Listen(Device device, uint32_t node)
    {
        device->SetReceiveCallback(MakeCallback(&RawNode::Receive, raw[node]));
    }
    void Sink(uint32_t node)
    {
        auto socket = Socket::CreateSocket(nodes.Get(node), udp);
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        socket->SetRecvCallback(MakeCallback(&IpReceive));
    }
    RawSource* FromDevice(Device device, uint32_t size, Time gap, uint64_t count)
    {
        auto source = new RawSource;
        source->device = device;
        source->size = size;
        source->gap = gap;
        source->left = count;
        return source;
    }
    IpSource* FromNode(uint32_t node, Ipv4Address to, uint32_t size, Time gap, uint64_t count)
    {
        auto source = new IpSource;
        source->socket = Socket::CreateSocket(nodes.Get(node), udp);
        source->socket->Bind();
        source->socket->Connect(InetSocketAddress(to, 9));
        source->size = size;
        source->gap = gap;
        source->left = count;
        return source;
    }
    std::vector<uint32_t> Targets() const;

    const Options o;
    const bool ip;
    const TypeId udp;
    const DataRate rate{155520000};
    const Time cell{PicoSeconds(2726337)}; // 53 * 8 / 155.52e6, cut
    NodeContainer nodes;
    InternetStackHelper stack;
    Ipv4StaticRoutingHelper routing;
    std::vector<RawNode*> raw;
};

uint64_t Bench::Tandem()
{
    const uint32_t links = 6;
    Create(links + 1);
    std::vector<Device> out(links);
    std::vector<uint32_t> index(links);
    std::vector<Ipv4Address> next(links);
    for (uint32_t i = 0; i < links; i++) {
        auto link = Link(nodes.Get(i), nodes.Get(i + 1), rate, MicroSeconds(50));
        out[i] = link.first;
        if (ip) {
            next[i] = Addresses(link.first, link.second, &index[i]).second;
        } else {
            raw[i]->out.push_back(link.first);
            raw[i]->port = 0;
            Listen(link.second, i + 1);
        }
    }
    Source* source;
    if (ip) {
        Ipv4Address to = next[links - 1];
        for (uint32_t i = 0; i + 1 < links; i++) {
            Routes(nodes.Get(i))->AddHostRouteTo(to, next[i], index[i]);
        }
        Sink(links);
        source = FromNode(0, to, 53, cell, o.n);
    } else {
        source = FromDevice(out[0], 53, cell, o.n);
    }
    Simulator::ScheduleNow(&Source::Fire, source);
    return links * o.n;
}

uint64_t Bench::ManyFlows()
{
    const uint32_t a = o.F, b = a + 1, sink = a + 2;
    Create(o.F + 3);
    auto trunk = Link(nodes.Get(a), nodes.Get(b), rate, MicroSeconds(50));
    auto leave = Link(nodes.Get(b), nodes.Get(sink), rate, MicroSeconds(5));
    Ipv4Address to;
    if (ip) {
        uint32_t index;
        auto first = Addresses(trunk.first, trunk.second, &index);
        to = Addresses(leave.first, leave.second).second;
        Routes(nodes.Get(a))->AddHostRouteTo(to, first.second, index);
        Sink(sink);
    } else {
        raw[a]->out.push_back(trunk.first);
        raw[b]->out.push_back(leave.first);
        raw[a]->port = raw[b]->port = 0;
        Listen(trunk.second, b);
        Listen(leave.second, sink);
    }
    const double burst = 100.0 * cell.GetSeconds();
    auto off = CreateObject<ExponentialRandomVariable>();
    off->SetAttribute("Mean", DoubleValue(burst * o.F / 0.9 - burst));
    for (uint32_t flow = 0; flow < o.F; flow++) {
        auto link = Link(nodes.Get(flow), nodes.Get(a), rate, MicroSeconds(5));
        Source* source;
        if (ip) {
            uint32_t index;
            auto ends = Addresses(link.first, link.second, &index);
            Routes(nodes.Get(flow))->AddHostRouteTo(to, ends.second, index);
            source = FromNode(flow, to, 53, cell, o.n / o.F);
        } else {
            Listen(link.second, a);
            auto from = FromDevice(link.first, 53, cell, o.n / o.F);
            from->target = flow;
            from->tagged = true;
            source = from;
        }
        source->burst = 100;
        source->off = off;
        Simulator::Schedule(Seconds(off->GetValue()), &Source::Fire, source);
    }
    return 3 * (o.n / o.F) * o.F;
}

// By host: whom it sends to.
std::vector<uint32_t> Bench::Targets() const
{
    const int H = o.H;
    std::vector<uint32_t> target(H);
    for (int i = 0; i < H; i++) target[i] = o.perm == "shift" ? (i + H / 2) % H : i;
    if (o.perm == "shift") return target;
    uint64_t state = 1;
    for (int i = H - 1; i > 0; i--) std::swap(target[i], target[SplitMix64(state) % (i + 1)]);
    for (int i = 0; i < H; i++) {
        if ((int)target[i] == i) std::swap(target[i], target[(i + 1) % H]);
    }
    return target;
}

uint64_t Bench::Fabric()
{
    const int H = o.H, k = H == 64 ? 4 : 8, pods = H / (k * k);
    const DataRate fast(100000000000ull);
    const Time gap = PicoSeconds(4096 * 80);
    const int edges = pods * k, aggregates = pods * k;
    Create(H + edges + aggregates + k * k);
    const int count = nodes.GetN();
    for (auto node : raw) {
        node->addressed = true;
        node->route.assign(ip ? 0 : H, -1);
    }
    auto edge = [&](int i) { return H + i; };
    auto aggregate = [&](int i) { return H + edges + i; };
    auto core = [&](int i) { return H + edges + aggregates + i; };
    struct Port
    {
        Device device;
        Ipv4Address next;
        uint32_t index;
    };
    std::vector<std::vector<Port>> up(count), down(count);
    std::vector<Ipv4Address> address(H);
    auto connect = [&](int low, int high) {
        auto link = Link(nodes.Get(low), nodes.Get(high), fast, MicroSeconds(1));
        Port a{link.first, Ipv4Address(), 0}, b{link.second, Ipv4Address(), 0};
        if (ip) {
            auto ends = Addresses(link.first, link.second, &a.index, &b.index);
            a.next = ends.second;
            b.next = ends.first;
            if (low < H) address[low] = ends.first;
        } else {
            Listen(link.first, low);
            Listen(link.second, high);
        }
        up[low].push_back(a);
        down[high].push_back(b);
    };
    for (int h = 0; h < H; h++) connect(h, edge(h / k));
    for (int e = 0; e < edges; e++) {
        for (int a = 0; a < k; a++) connect(edge(e), aggregate(e / k * k + a));
    }
    for (int a = 0; a < aggregates; a++) {
        for (int c = 0; c < k; c++) connect(aggregate(a), core(a % k * k + c));
    }
    auto route = [&](int node, int target, const Port& port) {
        if (ip) {
            Routes(nodes.Get(node))->AddHostRouteTo(address[target], port.next, port.index);
            return;
        }
        auto& out = raw[node]->out;
        size_t place = std::find(out.begin(), out.end(), port.device) - out.begin();
        if (place == out.size()) out.push_back(port.device);
        raw[node]->route[target] = place;
    };
    // Only for targets that a node really has: static tables stay small.
    auto targets = Targets();
    uint64_t hops = 0;
    for (int h = 0; h < H; h++) {
        int t = targets[h], from = h / k, to = t / k, pod = from / k, last = to / k;
        int a = t % k, c = t / k % k;
        route(h, t, up[h][0]);
        route(edge(to), t, down[edge(to)][t % k]);
        hops += 2;
        if (from == to) continue;
        route(edge(from), t, up[edge(from)][a]);
        route(aggregate(last * k + a), t, down[aggregate(last * k + a)][to % k]);
        hops += 2;
        if (pod == last) continue;
        route(aggregate(pod * k + a), t, up[aggregate(pod * k + a)][c]);
        route(core(a * k + c), t, down[core(a * k + c)][last]);
        hops += 2;
    }
    for (int h = 0; h < H; h++) {
        Source* source;
        if (ip) {
            Sink(h);
            source = FromNode(h, address[targets[h]], 4096, gap, o.n);
        } else {
            auto from = FromDevice(up[h][0].device, 4096, gap, o.n);
            from->target = targets[h];
            from->tagged = true;
            source = from;
        }
        Simulator::ScheduleWithContext(h, Time(0), &Source::Fire, source);
    }
    return hops * o.n;
}

// The most memory this process has ever held, in MiB; 0 where the system does not tell (Linux does).
// Not that of getrusage, which begins with what the parent held.
static double PeakMemory()
{
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word) {
        double kib;
        if (word == "VmHWM:" && status >> kib) return kib / 1024.0;
    }
    return 0;
}

int main(int argc, char** argv)
{
    Options o;
    CommandLine cmd;
    cmd.AddValue("w", "workload 1|2|3", o.w);
    cmd.AddValue("n", "cells in all (1, 2) or packets of a host (3)", o.n);
    cmd.AddValue("F", "flows (2)", o.F);
    cmd.AddValue("H", "hosts 64|1024 (3)", o.H);
    cmd.AddValue("perm", "shift|rand (3)", o.perm);
    cmd.AddValue("mode", "raw|ip", o.mode);
    cmd.AddValue("sched", "TypeId of a scheduler of ns-3", o.sched);
    cmd.Parse(argc, argv);
    if (!o.sched.empty()) GlobalValue::Bind("SchedulerType", StringValue(o.sched));
    Time::SetResolution(Time::PS);
    Bench bench(o);
    uint64_t hops = o.w == 1 ? bench.Tandem() : o.w == 2 ? bench.ManyFlows() : bench.Fabric();
    auto start = std::chrono::steady_clock::now();
    Simulator::Run();
    std::chrono::duration<double> run = std::chrono::steady_clock::now() - start;
    printf("{\"peer\":\"ns-3\",\"mode\":\"%s\",\"w\":%d,\"n\":%llu,\"rx\":%llu,\"hops\":%llu,"
           "\"events\":%llu,\"run_s\":%.6f,\"hops_per_s\":%.0f,\"sim_s\":%.12f,\"rss_mb\":%.1f}\n",
           o.mode.c_str(), o.w, (unsigned long long)o.n, (unsigned long long)g_received,
           (unsigned long long)hops, (unsigned long long)Simulator::GetEventCount(), run.count(),
           hops / run.count(), g_lastPs * 1e-12, PeakMemory());
    return 0;
}
