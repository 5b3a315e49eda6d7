"""Which outside modules cannot run where a script runs; data, and how settings change it.

Each line begins with why, then come import names; it holds for what lies below a name too. What is
not named is real, or some family replaces it underneath. `computation` sounds outside, and is not;
`answered` has a family, though it lies below a name that is stubbed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...slicer.syntax.requirement import normal
from ..contacts import is_below

if TYPE_CHECKING:
    from ...slicer.model import External
    from ..settings import Settings

_TABLE = """
hardware          Adafruit_* adafruit_* board busio digitalio analogio pulseio neopixel microbit
hardware          machine RPi RPIO pigpio gpiozero lgpio gpiod wiringpi OPi Jetson piplates
hardware          picozero utime micropython smbus smbus2 spidev i2cdevice onewire w1thermsensor
hardware          ntcore RPLCD RPi_I2C_driver rpi_lcd rpi_ws281x rpi_backlight mpu6050 mfrc522
hardware          ads1015 gpiodevice st7735 st7789 bme280 bme680 bmp280 bmp180 pms5003 ltr559 inky
hardware          scd4x sgp30 vl53l1x unicornhathd fourletterphat scrollphathd blinkt automationhat
hardware          envirophat enviroplus microdotphat ioexpander trackball explorerhat sn3218
hardware          pirc522 max30102 ms5837 PCF8574 VL53L0X VL53L1X ST7789 sense_hat sense_emu
hardware          unicornhat rainbowhat luma evdev uinput serial serial_asyncio usb usb1 usbtmc
hardware          hid ftd2xx pyftdi pylibftdi pyudev pywinusb can canopen pyvisa visa nidaqmx
hardware          snap7 pycomm3 labjack LabJackPython u3 u6 ue9 Phidget22 bluetooth bluepy bleak
hardware          gattlib nfc picamera picamera2 libcamera depthai pypylon PySpin pyrealsense2
hardware          rplidar pyrplidar pyaudio alsaaudio sounddevice pyfirmata pyfirmata2 ev3dev
hardware          ev3dev2 pybricks naoqi cozmo anki_vector robomaster djitellopy dronekit
hardware          pymavlink mavsdk cflib brping ur_rtde rtde_control rtde_receive xarm rclpy rospy
hardware          roslib rosbag roslaunch actionlib cv_bridge message_filters tf2_ros
hardware          tf_transformations ament_index_python launch_ros builtin_interfaces
hardware          moveit_commander dynamic_reconfigure std_msgs std_srvs sensor_msgs geometry_msgs
hardware          nav_msgs action_msgs trajectory_msgs visualization_msgs diagnostic_msgs
hardware          control_msgs soundcard pulsectl scapy pcap pcapy netfilterqueue pywifi
another platform  win32* _win32* winreg _winreg _winapi msvcrt winsound nt wmi pythoncom
another platform  pywintypes winerror winpty winrt winsdk winshell winxpgui comtypes
another platform  servicemanager pywinauto uiautomation win10toast win11toast winotify
another platform  windows_toasts pydirectinput dxcam AppKit Cocoa CoreAudio CoreFoundation
another platform  CoreLocation CoreBluetooth CoreWLAN Foundation IOKit Quartz ScriptingBridge
another platform  SystemConfiguration AVFoundation ApplicationServices WebKit objc PyObjCTools
another platform  rumps appscript mlx mlx_lm clr System java javax jnius android js pyodide
another platform  pyscript micropip
a host program    bpy bpy_extras bmesh mathutils gpu bl_ui blf bgl bge addon_utils nodeitems_utils
a host program    maya pymel nuke nukescripts hou toolutils unreal c4d pymxs adsk obspython
a host program    renderdoc idaapi idautils idc ida_* binaryninja ghidra gdb lldb r2pipe pykd
a host program    pcbnew FreeCAD FreeCADGui Part Draft Sketcher arcpy arcgisscripting qgis
a host program    rhinoscriptsyntax Rhino scriptcontext Grasshopper ghpythonlib Autodesk abaqus
a host program    abaqusConstants odbAccess paraview homeassistant sublime sublime_plugin vim
a host program    xbmc* resolveurl gimpfu gimp gimpenums inkex omni carb pxr isaacsim isaacgym
a host program    carla airsim calibre aqt anki octoprint weechat hexchat talon uno unohelper
a host program    krita scribus DaVinciResolveScript substance_painter keypirinha flowlauncher
a host program    burp
a licence         gurobipy cplex docplex xpress mosek matlab localsolver knitro mph
a CUDA device     cupy cupyx pycuda numba.cuda tensorrt torch_tensorrt nvidia pynvml py3nvml cudf
a CUDA device     cuml cugraph rmm apex amp_C triton transformer_engine megatron flash_attn
a CUDA device     flash_attn_interface xformers bitsandbytes deepspeed horovod mamba_ssm
a CUDA device     causal_conv1d liger_kernel unsloth vllm sglang lmdeploy auto_gptq awq exllamav2
a CUDA device     detectron2 mmcv mmdet mmseg mmengine dgl pytorch3d spconv torchsparse
a CUDA device     MinkowskiEngine torch_scatter torch_sparse torch_cluster torch_spline_conv
a CUDA device     pointnet2_ops diff_gaussian_rasterization simple_knn gsplat nvdiffrast
a CUDA device     tinycudann torch_xla torch_npu intel_extension_for_pytorch habana_frameworks
a display         wx kivy kivymd pyglet arcade pyautogui pynput keyboard mouse pygetwindow
a display         easygui pymsgbox pyscreeze dearpygui imgui glfw moderngl OpenGL panda3d direct
a display         ursina vpython gi toga nicegui flet webview pystray plyer screeninfo Xlib
a display         tkinterdnd2 ttkbootstrap tkcalendar tkintermapview CTkMessagebox pyperclip mss
a display         vtk mayavi open3d vispy napari playsound pyttsx3 speech_recognition simpleaudio
a display         vlc blessed curses curtsies gradio pyppeteer PyQt4 sip pywebio remi
a display         guizero appJar streamlit_* st_aggrid st_pages extra_streamlit_components
a live session    pyrogram hydrogram telethon instagrapi instabot pywhatkit neonize fbchat
a live session    vk_api botpy khl disnake nextcord hikari
a cloud           google.cloud googleapiclient google_auth_oauthlib
a cloud           google_auth_httplib2
a cloud           firebase pyrebase gspread gspread_dataframe oauth2client pydrive
a cloud           pydrive2 earthengine ee azure msal msgraph oss2 qcloud_cos minio b2sdk cloudinary
a cloud           wandb comet_ml neptune clearml mlflow roboflow supabase pinecone voyageai
a cloud           replicate elevenlabs deepgram assemblyai stability_sdk fal_client runwayml
a server          uwsgi uwsgidecorators mod_wsgi plpy awsglue
answered          google.oauth2 google.cloud.storage google.cloud.firestore
answered          google.cloud.firestore_v1 google.cloud.pubsub google.cloud.pubsub_v1
answered          google.cloud.bigquery google.cloud.secretmanager
answered          google.cloud.secretmanager_v1 google.cloud.exceptions
answered          azure.core azure.identity azure.storage.blob azure.storage.queue azure.servicebus
answered          azure.keyvault.secrets playwright
computation       numba h5py netCDF4 astropy sympy ase pymatgen shapely chess
"""

_REASONS = {
    "hardware": "needs hardware",
    "another platform": "is of another platform",
    "a host program": "is inside a program that is not here",
    "a licence": "needs a licence",
    "a CUDA device": "needs a CUDA device, or hours to build",
    "a display": "needs a display, a loudspeaker or a user",
    "a live session": "needs somebody who is logged in",
    "a cloud": "asks a service that wants an account",
    "a server": "is inside a server that is not here",
}
_REAL = frozenset({"computation", "answered"})
"""What runs here: by itself, or because a family answers below it."""
OF_MACHINES = frozenset({_REASONS["hardware"], _REASONS["another platform"]})
"""Reasons of what is tied to a machine."""

POLICY: dict[str, str] = {
    name: line[:18].strip() for line in _TABLE.strip().split("\n") for name in line[18:].split()
}
"""Import name, with `*` at its end for all that begin so → why it is stubbed, or `computation`."""

_SHARED = frozenset(
    shared
    for name, kind in POLICY.items()
    if kind == "answered"
    for shared in (name[:at] for at, letter in enumerate(name) if letter == ".")
    if any(is_below(shared, listed) and why not in _REAL for listed, why in POLICY.items())
)
"""Namespaces of what is stubbed with something in them that is not: never stubbed as a whole."""

_BEGINNINGS = tuple(name[:-1] for name in POLICY if name.endswith("*"))


@dataclass(frozen=True, slots=True)
class Stubbed:
    """A module that must be stubbed, and why."""

    module: str
    reason: str
    is_gap: bool = False
    """Whether nobody knows what it would have been."""


def must_stub(external: External, settings: Settings) -> Stubbed | None:
    """Whether a module that the slice imports has to be stubbed, and why.

    Args:
        external: the module, with its distribution.
        settings: `real` of these wins over all, then `stubs`, then the table.
    """
    if is_named(external, settings.real):
        return None
    if is_named(external, settings.stubs):
        return Stubbed(
            _stubbed_part(external, settings.stubs),
            "is stubbed because it was asked for, or cannot be installed",
        )
    module = whole_name(external)
    listed = _listed(module)
    if listed is not None:
        name, kind = listed
        if kind in _REAL or module in _SHARED:
            return None
        return Stubbed(_own_part(module, name), _REASONS[kind])
    if external.distribution is None and not external.comes_with_python:
        return Stubbed(external.module, "nobody knows where to get", is_gap=True)
    return None


def whole_name(external: External) -> str:
    """What is imported: of a namespace that distributions share, the package in it."""
    if external.module in _SHARED and external.names:
        return f"{external.module}.{external.names[0]}"
    return external.module


def _own_part(module: str, listed: str) -> str:
    """What is stubbed of a module: all that is listed, or a package of a shared namespace."""
    if listed not in _SHARED:
        return listed
    parts = module.split(".")
    tops = (".".join(parts[:length]) for length in range(1, len(parts) + 1))
    return next((top for top in tops if is_below(top, listed) and top not in _SHARED), module)


def _listed(module: str) -> tuple[str, str] | None:
    """The longest listed name that a module is, or lies below; and its kind."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        if name in POLICY:
            return name, POLICY[name]
    beginning = next((b for b in _BEGINNINGS if parts[0].startswith(b)), None)
    return None if beginning is None else (parts[0], POLICY[f"{beginning}*"])


def is_named(external: External, names: tuple[str, ...]) -> bool:
    """Whether one of these names means a module: as it is imported, or its distribution."""
    distribution = normal(external.distribution) if external.distribution else None
    module = whole_name(external)
    return any(is_below(module, n) or normal(n) == distribution for n in names)


def _stubbed_part(external: External, names: tuple[str, ...]) -> str:
    """What of a module's name is stubbed: the module that is named, else its top."""
    module = whole_name(external)
    named = [name for name in names if is_below(module, name)]
    return max(named, key=len) if named else module
